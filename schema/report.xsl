<?xml version="1.0" encoding="UTF-8"?>
<!-- A report of gpubound as one self-contained HTML page (XSLT 1.0): gpubound report, or xsltproc report.xsl report.xml.
     Values are printed as they stand in the report; times also in a fitting unit, by moving the decimal point, so exactly. Only the
     lengths of bars are computed. The page loads nothing; without its script it is complete, and tables are not sortable. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:r="urn:gpubound:report:1"
  xmlns:ds="http://www.w3.org/2000/09/xmldsig#" exclude-result-prefixes="r ds">
<xsl:output method="html" encoding="UTF-8" doctype-system="about:legacy-compat" indent="no"/>
<xsl:strip-space elements="*"/>

<xsl:key name="step" match="r:step" use="@id"/>
<xsl:key name="user" match="r:step" use="r:from/@step"/>
<xsl:key name="rule" match="r:rule" use="@name"/>
<xsl:key name="group" match="r:step" use="floor((substring(@id, 2) - 1) div 100)"/> <!-- steps that are folded together -->

<!-- ==== numbers -->
<xsl:template name="without-zeros">
  <xsl:param name="text"/>
  <xsl:choose>
    <xsl:when test="substring($text, string-length($text)) = '0'">
      <xsl:call-template name="without-zeros">
        <xsl:with-param name="text" select="substring($text, 1, string-length($text) - 1)"/>
      </xsl:call-template>
    </xsl:when>
    <xsl:otherwise><xsl:value-of select="$text"/></xsl:otherwise>
  </xsl:choose>
</xsl:template>

<!-- Digits of nanoseconds with the point moved: exact. -->
<xsl:template name="shift">
  <xsl:param name="digits"/>
  <xsl:param name="places"/>
  <xsl:param name="unit"/>
  <xsl:variable name="whole" select="string-length($digits) - $places"/>
  <xsl:variable name="fraction">
    <xsl:call-template name="without-zeros"><xsl:with-param name="text" select="substring($digits, $whole + 1)"/></xsl:call-template>
  </xsl:variable>
  <xsl:value-of select="substring($digits, 1, $whole)"/>
  <xsl:if test="$fraction != ''">.<xsl:value-of select="$fraction"/></xsl:if>
  <xsl:value-of select="concat('&#160;', $unit)"/>
</xsl:template>

<xsl:template name="time">
  <xsl:param name="ns"/>
  <xsl:variable name="digits" select="translate($ns, '-', '')"/>
  <xsl:variable name="length" select="string-length($digits)"/>
  <xsl:if test="starts-with($ns, '-')">&#8722;</xsl:if>
  <xsl:choose>
    <xsl:when test="contains($digits, '/') or $length &lt;= 3"><xsl:value-of select="concat($digits, '&#160;ns')"/></xsl:when>
    <xsl:otherwise>
      <xsl:call-template name="shift">
        <xsl:with-param name="digits" select="$digits"/>
        <xsl:with-param name="places" select="3 + 3 * ($length &gt; 6) + 3 * ($length &gt; 9)"/>
        <xsl:with-param name="unit" select="substring('us ms s  ', 1 + 3 * ($length &gt; 6) + 3 * ($length &gt; 9), 3 - ($length &lt;= 9) - 2 * ($length &gt; 9))"/>
      </xsl:call-template>
    </xsl:otherwise>
  </xsl:choose>
</xsl:template>

<!-- A cell with a time, a link to the step that derives it, and the nanoseconds to sort by. -->
<xsl:template name="time-cell">
  <xsl:param name="ns"/>
  <xsl:param name="step"/>
  <td class="number" data-sort="{$ns}">
    <xsl:choose>
      <xsl:when test="not($ns)">&#8211;</xsl:when>
      <xsl:when test="$step"><a href="#{$step}" title="{$ns} ns, derived in step {$step}"><xsl:call-template name="time"><xsl:with-param name="ns" select="$ns"/></xsl:call-template></a></xsl:when>
      <xsl:otherwise><span title="{$ns} ns"><xsl:call-template name="time"><xsl:with-param name="ns" select="$ns"/></xsl:call-template></span></xsl:otherwise>
    </xsl:choose>
  </td>
</xsl:template>

<xsl:template name="value">
  <xsl:param name="step"/>
  <xsl:choose>
    <xsl:when test="not($step/@value)">no value</xsl:when>
    <xsl:when test="$step/@unit = 'ns'"><xsl:value-of select="$step/@value"/>&#160;ns<xsl:if test="string-length(translate($step/@value, '-', '')) &gt; 3"> (<xsl:call-template name="time"><xsl:with-param name="ns" select="$step/@value"/></xsl:call-template>)</xsl:if></xsl:when>
    <xsl:when test="$step/@unit = 'B' or $step/@unit = 'Hz'"><xsl:value-of select="concat($step/@value, '&#160;', $step/@unit)"/></xsl:when>
    <xsl:otherwise><xsl:value-of select="$step/@value"/></xsl:otherwise>
  </xsl:choose>
</xsl:template>

<xsl:template name="verdict">
  <xsl:param name="verdict"/>
  <span class="verdict {$verdict}">
    <xsl:choose>
      <xsl:when test="$verdict = 'proven'">&#10003; proven</xsl:when>
      <xsl:when test="$verdict = 'not-proven'">&#10007; not proven</xsl:when>
      <xsl:otherwise>? no bound</xsl:otherwise>
    </xsl:choose>
  </span>
</xsl:template>

<xsl:template name="place">
  <xsl:if test="@file"><code><xsl:value-of select="@file"/><xsl:if test="@line">:<xsl:value-of select="@line"/></xsl:if></code></xsl:if>
</xsl:template>

<xsl:template name="yes">
  <xsl:param name="is"/>
  <xsl:choose><xsl:when test="$is = 'true'">yes</xsl:when><xsl:otherwise>no</xsl:otherwise></xsl:choose>
</xsl:template>

<!-- ==== the page -->
<xsl:template match="/r:report">
  <html lang="en">
    <head>
      <title><xsl:value-of select="concat(@taskset, ' on ', @platform, ': ', @verdict)"/></title>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta name="color-scheme" content="light dark"/>
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"/>
      <link rel="icon" href="data:,"/>
      <style><xsl:call-template name="style"/></style>
    </head>
    <body>
      <header>
        <p class="kind">Response-time bounds</p>
        <h1><xsl:value-of select="@taskset"/></h1>
        <p class="lead">on <strong><xsl:value-of select="@platform"/></strong> <xsl:call-template name="verdict"><xsl:with-param name="verdict" select="@verdict"/></xsl:call-template></p>
        <p><xsl:call-template name="summary"/></p>
        <xsl:if test="ds:Signature"><p class="note">This report carries a signature, which this page does not check. <code>xmlsec1 --verify</code> does: see gpubound-report(1).</p></xsl:if>
      </header>
      <nav aria-label="Parts of the report">
        <a href="#results">Results</a> <a href="#tasks">Tasks</a> <xsl:if test="r:figures"><a href="#pictures">Pictures</a><xsl:text> </xsl:text></xsl:if><a href="#assumptions">Assumptions</a> <a href="#inputs">Inputs</a>
        <a href="#hazards">Hazards</a> <a href="#channels">Channels</a> <a href="#kernels">Kernels</a> <xsl:if test="r:programs"><a href="#programs">Programs</a><xsl:text> </xsl:text></xsl:if>
        <a href="#derivation">Derivation</a>
      </nav>
      <main>
        <xsl:apply-templates select="r:results"/>
        <xsl:apply-templates select="r:figures"/>
        <xsl:apply-templates select="r:assumptions"/>
        <xsl:call-template name="inputs"/>
        <xsl:apply-templates select="r:hazards"/>
        <xsl:apply-templates select="r:channels"/>
        <xsl:apply-templates select="r:kernels"/>
        <xsl:apply-templates select="r:programs"/>
        <xsl:apply-templates select="r:derivation"/>
      </main>
      <footer><xsl:call-template name="environment"/></footer>
      <script><xsl:call-template name="script"/></script>
    </body>
  </html>
</xsl:template>

<xsl:template name="counted">
  <xsl:param name="count"/>
  <xsl:param name="noun"/>
  <xsl:value-of select="concat($count, ' ', $noun)"/><xsl:if test="$count != 1">s</xsl:if>
</xsl:template>

<xsl:template name="summary">
  <xsl:variable name="judged" select="r:results/r:task | r:results/r:chain"/>
  <xsl:call-template name="counted"><xsl:with-param name="count" select="count(r:results/r:task)"/><xsl:with-param name="noun" select="'task'"/></xsl:call-template>
  <xsl:if test="r:results/r:chain"> and <xsl:call-template name="counted"><xsl:with-param name="count" select="count(r:results/r:chain)"/><xsl:with-param name="noun" select="'chain'"/></xsl:call-template></xsl:if>
  <xsl:value-of select="concat(': ', count($judged[@verdict = 'proven']), ' proven, ', count($judged[@verdict = 'not-proven']), ' not proven, ', count($judged[@verdict = 'no-bound']), ' without a bound. ')"/>
  The bounds rest on <a href="#assumptions"><xsl:call-template name="counted"><xsl:with-param name="count" select="count(r:assumptions/r:assumption[@used = 'true'])"/><xsl:with-param name="noun" select="'assumption'"/></xsl:call-template></a>;
  <xsl:value-of select="' '"/><a href="#hazards"><xsl:call-template name="counted"><xsl:with-param name="count" select="count(r:hazards/r:hazard)"/><xsl:with-param name="noun" select="'hazard'"/></xsl:call-template></a> found.
</xsl:template>

<!-- ==== results -->
<xsl:template match="r:results">
  <section id="results">
    <h2>Results</h2>
    <figure class="chart">
      <figcaption>Each task's bound as a share of its deadline, and what it is made of.
        <span class="key jitter">release jitter</span> <span class="key host">CPU segments</span>
        <span class="key own">the task's own GPU work</span> <span class="key other">other work, waits, overheads</span> <span class="key due">deadline</span></figcaption>
      <xsl:apply-templates select="r:task" mode="bar"/>
    </figure>
    <div class="scroll"><table class="sortable">
      <thead><tr><th>Task</th><th>Verdict</th><th class="number">Response bound</th><th class="number">Deadline</th><th class="number">Slack</th><th>Bound</th><th>Requirement</th></tr></thead>
      <tbody>
        <xsl:for-each select="r:task">
          <tr>
            <th scope="row"><a href="#task-{@id}"><xsl:value-of select="@id"/></a></th>
            <xsl:call-template name="result-cells"/>
            <td><xsl:value-of select="@bound"/></td>
            <td><xsl:value-of select="@requirement"/></td>
          </tr>
        </xsl:for-each>
      </tbody>
    </table></div>
    <xsl:if test="r:chain">
      <h3>Chains</h3>
      <div class="scroll"><table class="sortable">
        <thead><tr><th>Chain</th><th>Verdict</th><th class="number">Bound</th><th class="number">Deadline</th><th class="number">Slack</th><th>Kind</th><th>Tasks</th><th>Requirement</th></tr></thead>
        <tbody>
          <xsl:for-each select="r:chain">
            <tr>
              <th scope="row"><xsl:value-of select="@id"/></th>
              <xsl:call-template name="result-cells"/>
              <td><xsl:value-of select="@kind"/></td>
              <td><xsl:for-each select="r:member"><xsl:if test="position() &gt; 1"> &#8594; </xsl:if><a href="#task-{@task}"><xsl:value-of select="@task"/></a></xsl:for-each><xsl:if test="@reason"><p class="reason"><xsl:value-of select="@reason"/></p></xsl:if></td>
              <td><xsl:value-of select="@requirement"/></td>
            </tr>
          </xsl:for-each>
        </tbody>
      </table></div>
    </xsl:if>
    <h3>Streams</h3>
    <p>The worst response of all operations on the stream.</p>
    <div class="scroll"><table class="sortable">
      <thead><tr><th>Stream</th><th>Verdict</th><th class="number">Response bound</th><th class="number">Deadline</th><th class="number">Slack</th><th>Bound</th><th>Application</th></tr></thead>
      <tbody>
        <xsl:for-each select="r:stream">
          <tr>
            <th scope="row"><xsl:value-of select="@id"/></th>
            <xsl:call-template name="result-cells"/>
            <td><xsl:value-of select="@bound"/></td>
            <td><xsl:value-of select="@application"/></td>
          </tr>
        </xsl:for-each>
      </tbody>
    </table></div>
    <p class="small">Counted in the task set and in this report: <xsl:for-each select="../r:coverage">tasks <xsl:value-of select="concat(@tasks-in, ' and ', @tasks-out, ', streams ', @streams-in, ' and ', @streams-out, ', operations ', @operations-in, ' and ', @operations-out, ', chains ', @chains-in, ' and ', @chains-out)"/>.</xsl:for-each></p>
  </section>
  <section id="tasks">
    <h2>Tasks</h2>
    <xsl:apply-templates select="r:task" mode="full"/>
  </section>
</xsl:template>

<xsl:template name="result-cells">
  <td data-sort="{(@verdict = 'not-proven') + 2 * (@verdict = 'no-bound')}"><xsl:call-template name="verdict"><xsl:with-param name="verdict" select="@verdict"/></xsl:call-template></td>
  <xsl:call-template name="time-cell"><xsl:with-param name="ns" select="@response"/><xsl:with-param name="step" select="@step"/></xsl:call-template>
  <xsl:call-template name="time-cell"><xsl:with-param name="ns" select="@deadline"/></xsl:call-template>
  <xsl:call-template name="time-cell"><xsl:with-param name="ns" select="@slack"/></xsl:call-template>
</xsl:template>

<!-- A bar of 1250 units: the deadline stands at 1000, and what is longer than the bar is cut off at its end. -->
<xsl:template match="r:task" mode="bar">
  <xsl:variable name="won" select="key('step', r:bound[@name = current()/@bound]/@step)"/>
  <xsl:variable name="intervals" select="key('step', $won/r:from[@role = 'P']/@step)"/>
  <xsl:variable name="terms" select="key('step', $intervals/r:from[@role = 'e' or @role = 'x' or @role = 'X']/@step)[@about = concat('task:', current()/@id)]"/>
  <xsl:variable name="volume" select="key('step', $intervals/r:from[@role = 'v']/@step)[@about = concat('task:', current()/@id)]"/>
  <xsl:variable name="servers" select="key('step', $intervals/r:from[@role = 'g']/@step)"/>
  <xsl:variable name="engines" select="key('step', $intervals/r:from[@role = 'engines']/@step)"/>
  <xsl:variable name="path" select="concat('task:', @id, '/op:')"/>
  <xsl:variable name="makespans" select="key('step', $engines/r:from[@role = 'M']/@step)[starts-with(@about, $path)]"/>
  <xsl:variable name="costs" select="key('step', $engines/r:from[@role = 'C']/@step)[starts-with(@about, $path)][not(@about = $makespans/@about)]"/>
  <xsl:variable name="full"><xsl:choose><xsl:when test="@deadline &gt; 0"><xsl:value-of select="@deadline"/></xsl:when><xsl:when test="@response &gt; 0"><xsl:value-of select="@response"/></xsl:when><xsl:otherwise>1</xsl:otherwise></xsl:choose></xsl:variable>
  <xsl:variable name="scale" select="1000 div $full"/>
  <xsl:variable name="jitter" select="sum(key('step', key('step', @step)/r:from[@role = 'Jr']/@step)/@value) * $scale"/>
  <xsl:variable name="host" select="sum(key('step', $won/r:from[@role = 'C']/@step)/@value) * $scale"/>
  <xsl:variable name="volumes"><xsl:choose><xsl:when test="$volume and $servers/@value &gt; 0"><xsl:value-of select="sum($volume/@value) div $servers/@value"/></xsl:when><xsl:otherwise>0</xsl:otherwise></xsl:choose></xsl:variable>
  <xsl:variable name="all" select="@response * $scale"/>
  <xsl:variable name="own-terms" select="(sum($terms/@value) + sum($makespans/@value) + sum($costs/@value) + $volumes) * $scale"/>
  <xsl:variable name="room" select="$all - $jitter - $host"/>
  <xsl:variable name="own"><xsl:choose><xsl:when test="$own-terms &lt; $room"><xsl:value-of select="$own-terms"/></xsl:when><xsl:when test="$room &gt; 0"><xsl:value-of select="$room"/></xsl:when><xsl:otherwise>0</xsl:otherwise></xsl:choose></xsl:variable>
  <div class="bar">
    <p><a href="#task-{@id}"><xsl:value-of select="@id"/></a><xsl:text> </xsl:text><xsl:call-template name="verdict"><xsl:with-param name="verdict" select="@verdict"/></xsl:call-template>
      <span class="figures"><xsl:call-template name="bar-figures"/></span></p>
    <svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 1250 40" preserveAspectRatio="none">
      <title><xsl:value-of select="@id"/>: <xsl:call-template name="bar-figures"/></title>
      <rect class="track" x="0" y="6" width="1250" height="28"/>
      <xsl:choose>
        <xsl:when test="@response">
          <xsl:call-template name="part"><xsl:with-param name="class" select="'jitter'"/><xsl:with-param name="from" select="0"/><xsl:with-param name="to" select="$jitter"/></xsl:call-template>
          <xsl:call-template name="part"><xsl:with-param name="class" select="'host'"/><xsl:with-param name="from" select="$jitter"/><xsl:with-param name="to" select="$jitter + $host"/></xsl:call-template>
          <xsl:call-template name="part"><xsl:with-param name="class" select="'own'"/><xsl:with-param name="from" select="$jitter + $host"/><xsl:with-param name="to" select="$jitter + $host + $own"/></xsl:call-template>
          <xsl:call-template name="part"><xsl:with-param name="class" select="'other'"/><xsl:with-param name="from" select="$jitter + $host + $own"/><xsl:with-param name="to" select="$all"/></xsl:call-template>
          <xsl:if test="$all &gt; 1250"><path class="cut" d="M1222 6 l14 14 l-14 14 h10 l14 -14 l-14 -14 z"/></xsl:if>
        </xsl:when>
        <xsl:otherwise><path class="unknown" d="M0 34 L28 6 M100 34 l28 -28 M200 34 l28 -28 M300 34 l28 -28 M400 34 l28 -28 M500 34 l28 -28 M600 34 l28 -28 M700 34 l28 -28 M800 34 l28 -28 M900 34 l28 -28 M1000 34 l28 -28 M1100 34 l28 -28 M1200 34 l28 -28"/></xsl:otherwise>
      </xsl:choose>
      <xsl:if test="@deadline"><rect class="deadline" x="997" y="0" width="6" height="40"/></xsl:if>
    </svg>
  </div>
</xsl:template>

<xsl:template name="part">
  <xsl:param name="class"/>
  <xsl:param name="from"/>
  <xsl:param name="to"/>
  <xsl:variable name="end"><xsl:choose><xsl:when test="$to &gt; 1250">1250</xsl:when><xsl:otherwise><xsl:value-of select="$to"/></xsl:otherwise></xsl:choose></xsl:variable>
  <xsl:if test="$end &gt; $from"><rect xmlns="http://www.w3.org/2000/svg" class="{$class}" x="{format-number($from, '0.##')}" y="6" width="{format-number($end - $from, '0.##')}" height="28"/></xsl:if>
</xsl:template>

<xsl:template name="bar-figures">
  <xsl:choose>
    <xsl:when test="@response"><xsl:call-template name="time"><xsl:with-param name="ns" select="@response"/></xsl:call-template></xsl:when>
    <xsl:otherwise>no bound</xsl:otherwise>
  </xsl:choose>
  <xsl:choose>
    <xsl:when test="@deadline"><xsl:choose><xsl:when test="@response"> of </xsl:when><xsl:otherwise>; deadline </xsl:otherwise></xsl:choose><xsl:call-template name="time"><xsl:with-param name="ns" select="@deadline"/></xsl:call-template></xsl:when>
    <xsl:otherwise>; no deadline</xsl:otherwise>
  </xsl:choose>
</xsl:template>

<xsl:template match="r:task" mode="full">
  <details class="task" id="task-{@id}">
    <xsl:if test="@verdict != 'proven'"><xsl:attribute name="open">open</xsl:attribute></xsl:if>
    <summary><h3><xsl:value-of select="@id"/></h3><xsl:text> </xsl:text><xsl:call-template name="verdict"><xsl:with-param name="verdict" select="@verdict"/></xsl:call-template>
      <span class="figures"><xsl:call-template name="bar-figures"/></span></summary>
    <xsl:if test="r:advice"><p class="note"><xsl:value-of select="r:advice"/></p></xsl:if>
    <xsl:if test="@requirement"><p>Serves <xsl:value-of select="@requirement"/>.</p></xsl:if>
    <xsl:if test="@step"><p>Derived in <a href="#{@step}">step <xsl:value-of select="@step"/></a>: <xsl:call-template name="made-of"/></p></xsl:if>
    <h4>Bounds, from the actual release</h4>
    <div class="scroll"><table>
      <thead><tr><th>Bound</th><th class="number">Value</th><th>Rests on, or why it has no value</th></tr></thead>
      <tbody><xsl:for-each select="r:bound">
        <tr><th scope="row"><xsl:value-of select="@name"/><xsl:if test="@name = ../@bound"> (least)</xsl:if></th>
          <xsl:call-template name="time-cell"><xsl:with-param name="ns" select="@value"/><xsl:with-param name="step" select="@step"/></xsl:call-template>
          <td><xsl:value-of select="@reason"/><xsl:call-template name="assumption-links"><xsl:with-param name="ids" select="@assumptions"/></xsl:call-template></td></tr>
      </xsl:for-each></tbody>
    </table></div>
    <xsl:if test="r:operation">
      <h4>Operations</h4>
      <div class="scroll"><table class="sortable">
        <thead><tr><th>Operation</th><th>Kind</th><th>Stream</th><th class="number">WCET alone</th><th class="number">Factor</th><th class="number">With interference</th></tr></thead>
        <tbody><xsl:for-each select="r:operation">
          <tr><th scope="row"><xsl:value-of select="@id"/></th><td><xsl:value-of select="@kind"/></td><td><xsl:value-of select="@stream"/></td>
            <xsl:call-template name="time-cell"><xsl:with-param name="ns" select="@wcet"/></xsl:call-template>
            <td class="number"><xsl:value-of select="@factor"/></td>
            <xsl:choose>
              <xsl:when test="@reason"><td><xsl:value-of select="@reason"/></td></xsl:when>
              <xsl:otherwise><xsl:call-template name="time-cell"><xsl:with-param name="ns" select="@inflated"/><xsl:with-param name="step" select="@step"/></xsl:call-template></xsl:otherwise>
            </xsl:choose></tr>
        </xsl:for-each></tbody>
      </table></div>
    </xsl:if>
  </details>
</xsl:template>

<!-- The terms of a response, each with its step. -->
<xsl:template name="made-of">
  <xsl:variable name="won" select="key('step', r:bound[@name = current()/@bound]/@step)"/>
  <xsl:for-each select="$won/r:from[@role = 'P' or @role = 'C'] | key('step', @step)/r:from[@role = 'Jr']">
    <xsl:variable name="of" select="key('step', @step)"/>
    <xsl:if test="position() &gt; 1"> + </xsl:if>
    <xsl:choose>
      <xsl:when test="@role = 'P'">GPU </xsl:when>
      <xsl:when test="@role = 'C'">CPU </xsl:when>
      <xsl:otherwise>release jitter </xsl:otherwise>
    </xsl:choose>
    <a href="#{@step}"><xsl:call-template name="time"><xsl:with-param name="ns" select="$of/@value"/></xsl:call-template></a>
  </xsl:for-each>.
</xsl:template>

<xsl:template name="assumption-links">
  <xsl:param name="ids"/>
  <xsl:variable name="first" select="substring-before(concat($ids, ' '), ' ')"/>
  <xsl:if test="$first != ''">
    <a class="id" href="#assumption-{$first}"><xsl:value-of select="$first"/></a><xsl:text> </xsl:text>
    <xsl:call-template name="assumption-links"><xsl:with-param name="ids" select="substring-after($ids, ' ')"/></xsl:call-template>
  </xsl:if>
</xsl:template>

<!-- ==== pictures: gpubound report with its option figures puts them beside the report, in memory; no report has them -->
<xsl:template match="r:figures">
  <section id="pictures">
    <h2>Pictures</h2>
    <p>Drawn from the same task set and platform model as the report, not from the report. They show where blocks are predicted to go and
      one run among all that the bounds are about; nothing was proven from them.</p>
    <xsl:apply-templates select="r:figure"/>
  </section>
</xsl:template>

<xsl:template match="r:figure">
  <xsl:choose>
    <xsl:when test="@name = 'placement'"><h3>Placement: which SM gets each block, if all kernels are launched at once in the order of the task set</h3></xsl:when>
    <xsl:otherwise><h3>Timeline: one run, from aligned first releases, everything as long as it may take alone</h3></xsl:otherwise>
  </xsl:choose>
  <xsl:choose>
    <xsl:when test="@reason"><p>Not drawn. <xsl:value-of select="@reason"/>.</p></xsl:when>
    <xsl:otherwise><figure class="picture"><div class="scroll"><xsl:copy-of select="*"/></div>
      <figcaption>Larger, and with other options: <code><xsl:value-of select="@command"/> --svg=<xsl:value-of select="@name"/>.svg</code></figcaption></figure></xsl:otherwise>
  </xsl:choose>
</xsl:template>

<!-- ==== what the results rest on -->
<xsl:template match="r:assumptions">
  <section id="assumptions">
    <h2>Assumptions</h2>
    <p>Read these before the numbers: a bound holds where all that it rests on hold.</p>
    <xsl:call-template name="assumption-table"><xsl:with-param name="rows" select="r:assumption[@used = 'true']"/></xsl:call-template>
    <xsl:if test="r:assumption[@used = 'false']">
      <details><summary>Not used by any bound here (<xsl:value-of select="count(r:assumption[@used = 'false'])"/>)</summary>
        <xsl:call-template name="assumption-table"><xsl:with-param name="rows" select="r:assumption[@used = 'false']"/></xsl:call-template></details>
    </xsl:if>
  </section>
</xsl:template>

<xsl:template name="assumption-table">
  <xsl:param name="rows"/>
  <div class="scroll"><table class="sortable words">
    <thead><tr><th>Id</th><th>Status</th><th>Statement</th><th>Discharged by</th><th>Evidence</th></tr></thead>
    <tbody><xsl:for-each select="$rows">
      <tr id="assumption-{@id}"><th scope="row"><xsl:value-of select="@id"/></th>
        <td class="{@status}"><xsl:value-of select="@status"/><xsl:if test="@declared-by">, vouched for by <xsl:value-of select="@declared-by"/></xsl:if></td>
        <td><xsl:value-of select="r:statement"/></td><td><xsl:value-of select="r:discharge"/></td><td><xsl:value-of select="r:evidence"/></td></tr>
    </xsl:for-each></tbody>
  </table></div>
</xsl:template>

<xsl:template name="inputs">
  <section id="inputs">
    <h2>Inputs</h2>
    <dl class="files">
      <xsl:for-each select="r:inputs/r:input">
        <dt><xsl:value-of select="@role"/>: <code><xsl:value-of select="@path"/></code></dt>
        <dd><xsl:value-of select="@bytes"/> bytes, <xsl:value-of select="@schema"/>, SHA-256 <code class="hash"><xsl:value-of select="@sha256"/></code></dd>
      </xsl:for-each>
      <dt>command line</dt>
      <dd><code>gpubound<xsl:for-each select="r:invocation/r:argument"><xsl:value-of select="concat(' ', .)"/></xsl:for-each></code></dd>
    </dl>
    <h3>Where the task set's numbers come from</h3>
    <div class="scroll"><table class="sortable words">
      <thead><tr><th>Origin</th><th>Kind</th><th>Source</th><th>File</th><th class="number">Samples</th><th>By</th></tr></thead>
      <tbody><xsl:for-each select="r:provenance/r:origin">
        <tr><th scope="row"><xsl:value-of select="@id"/></th><td><xsl:value-of select="@kind"/></td><td><xsl:value-of select="@source"/></td>
          <td><xsl:value-of select="@file"/><xsl:if test="@row">, <xsl:value-of select="@row"/></xsl:if></td><td class="number" data-sort="{@samples}"><xsl:value-of select="@samples"/></td><td><xsl:value-of select="@by"/></td></tr>
      </xsl:for-each></tbody>
    </table></div>
    <xsl:if test="r:declarations/*">
      <h3>Declared in place of the platform model</h3>
      <div class="scroll"><table class="sortable words">
        <thead><tr><th>What</th><th class="number">Value</th><th>Source</th><th>By</th></tr></thead>
        <tbody>
          <xsl:for-each select="r:declarations/r:declaration">
            <tr><th scope="row"><xsl:value-of select="@name"/></th>
              <xsl:choose>
                <xsl:when test="@unit = 'ns'"><xsl:call-template name="time-cell"><xsl:with-param name="ns" select="@value"/></xsl:call-template></xsl:when>
                <xsl:otherwise><td class="number" data-sort="{@value}"><xsl:value-of select="concat(@value, ' ', @unit)"/></td></xsl:otherwise>
              </xsl:choose>
              <td><xsl:value-of select="@source"/></td><td><xsl:value-of select="@by"/></td></tr>
          </xsl:for-each>
          <xsl:for-each select="r:declarations/r:factor">
            <tr><th scope="row">interference on <xsl:value-of select="@victim"/> from <xsl:value-of select="@from"/><xsl:if test="@count">, <xsl:value-of select="@count"/> of them</xsl:if><xsl:if test="@footprint">, up to <xsl:value-of select="@footprint"/> bytes</xsl:if></th>
              <td class="number">factor <xsl:value-of select="@value"/></td><td><xsl:value-of select="@source"/></td><td><xsl:value-of select="@by"/></td></tr>
          </xsl:for-each>
        </tbody>
      </table></div>
    </xsl:if>
    <xsl:if test="r:diagnostics/r:diagnostic or r:diagnostics/@dropped != '0'">
      <h3>Diagnostics</h3>
      <xsl:if test="r:diagnostics/@dropped != '0'"><p class="note"><xsl:value-of select="r:diagnostics/@dropped"/> more were not kept.</p></xsl:if>
      <xsl:call-template name="diagnostic-table"><xsl:with-param name="rows" select="r:diagnostics/r:diagnostic"/></xsl:call-template>
    </xsl:if>
  </section>
</xsl:template>

<xsl:template name="diagnostic-table">
  <xsl:param name="rows"/>
  <div class="scroll"><table class="sortable words">
    <thead><tr><th>Code</th><th>What</th><th>Where</th></tr></thead>
    <tbody><xsl:for-each select="$rows">
      <tr><th scope="row"><xsl:value-of select="@code"/><xsl:if test="@level != 'hazard'"> (<xsl:value-of select="@level"/>)</xsl:if></th><td><xsl:value-of select="."/></td><td><xsl:call-template name="place"/></td></tr>
    </xsl:for-each></tbody>
  </table></div>
</xsl:template>

<xsl:template match="r:hazards">
  <section id="hazards">
    <h2>Hazards</h2>
    <xsl:choose>
      <xsl:when test="r:hazard"><p>What can hurt, whether or not the bounds hold. gpubound-diagnostics(7) says what to do about each.</p>
        <xsl:call-template name="diagnostic-table"><xsl:with-param name="rows" select="r:hazard"/></xsl:call-template></xsl:when>
      <xsl:otherwise><p>None found.</p></xsl:otherwise>
    </xsl:choose>
  </section>
</xsl:template>

<xsl:template match="r:channels">
  <section id="channels">
    <h2>Interference channels</h2>
    <div class="scroll"><table class="sortable words">
      <thead><tr><th>Channel</th><th>Bounded</th><th>What</th><th>By</th></tr></thead>
      <tbody><xsl:for-each select="r:channel">
        <tr><th scope="row"><xsl:value-of select="@id"/></th><td class="bounded-{@bounded}"><xsl:call-template name="yes"><xsl:with-param name="is" select="@bounded"/></xsl:call-template></td>
          <td><xsl:value-of select="r:what"/></td><td><xsl:value-of select="r:bounded-by"/></td></tr>
      </xsl:for-each></tbody>
    </table></div>
  </section>
</xsl:template>

<xsl:template match="r:programs">
  <section id="programs">
    <h2>Programs</h2>
    <p>Bounds of one block by the program of its kernel, in cycles of the SM, each by a linear program. Its multipliers prove it: who adds the
      rows of the linear program, each times its multiplier, has the bound.</p>
    <div class="scroll"><table class="sortable">
      <thead><tr><th>Program</th><th class="number">Warps</th><th>Composition</th><th class="number">Cycles alone</th><th class="number">More by each block beside it</th><th>File</th></tr></thead>
      <tbody><xsl:for-each select="r:program">
        <tr><th scope="row"><xsl:value-of select="@id"/></th><td class="number" data-sort="{@warps}"><xsl:value-of select="@warps"/></td><td><xsl:value-of select="@composition"/></td>
          <td class="number" data-sort="{@cycles}"><xsl:value-of select="@cycles"/></td><td class="number" data-sort="{@by-age}"><xsl:value-of select="@by-age"/></td><td><code><xsl:value-of select="@path"/></code></td></tr>
      </xsl:for-each></tbody>
    </table></div>
    <details><summary>Certificates (<xsl:value-of select="count(r:program/*)"/>)</summary>
      <xsl:for-each select="r:program/*">
        <div class="step"><p><span class="name"><xsl:value-of select="../@id"/>, <xsl:value-of select="translate(local-name(), '-', ' ')"/></span>: <xsl:value-of select="@cycles"/> cycles<xsl:if test="@closed-form">; <xsl:value-of select="@closed-form"/> without a solver</xsl:if></p>
          <p class="rule">multipliers<xsl:if test="r:certificate/@denominator != 1">, in parts of <xsl:value-of select="r:certificate/@denominator"/></xsl:if>: <xsl:value-of select="r:certificate"/></p></div>
      </xsl:for-each></details>
  </section>
</xsl:template>

<xsl:template match="r:kernels">
  <section id="kernels">
    <h2>Kernels</h2>
    <xsl:choose>
      <xsl:when test="r:kernel">
        <div class="scroll"><table class="sortable">
          <thead><tr><th>Kernel</th><th>WCET of a</th><th class="number">Blocks</th><th class="number">Threads</th><th class="number">Blocks an SM</th><th>Limited by</th><th class="number">Blocks the GPU</th><th>Others on its SM</th><th>Used of an SM, by resource</th></tr></thead>
          <tbody><xsl:for-each select="r:kernel">
            <tr><th scope="row"><xsl:value-of select="@operation"/></th><td><xsl:value-of select="@scope"/></td>
              <td class="number" data-sort="{@blocks}"><xsl:value-of select="@blocks"/></td><td class="number" data-sort="{@threads}"><xsl:value-of select="@threads"/></td>
              <td class="number" data-sort="{r:occupancy/@greatest}"><xsl:call-template name="range"><xsl:with-param name="least" select="r:occupancy/@least"/><xsl:with-param name="greatest" select="r:occupancy/@greatest"/></xsl:call-template></td>
              <td><xsl:value-of select="r:occupancy/@binding"/></td>
              <td class="number" data-sort="{@slots-greatest}"><xsl:call-template name="range"><xsl:with-param name="least" select="@slots-least"/><xsl:with-param name="greatest" select="@slots-greatest"/></xsl:call-template></td>
              <td><xsl:call-template name="yes"><xsl:with-param name="is" select="@foreign-sm"/></xsl:call-template><xsl:if test="@foreign-warps">, <xsl:value-of select="@foreign-warps"/> warps</xsl:if></td>
              <td><xsl:for-each select="r:occupancy/r:resource[@percent]"><xsl:if test="position() &gt; 1">, </xsl:if><xsl:value-of select="concat(@name, '&#160;', @percent, '&#160;%')"/></xsl:for-each></td></tr>
          </xsl:for-each></tbody>
        </table></div>
      </xsl:when>
      <xsl:otherwise><p>None.</p></xsl:otherwise>
    </xsl:choose>
  </section>
</xsl:template>

<xsl:template name="range">
  <xsl:param name="least"/>
  <xsl:param name="greatest"/>
  <xsl:if test="$least and $least != $greatest"><xsl:value-of select="$least"/>&#8211;</xsl:if><xsl:value-of select="$greatest"/>
</xsl:template>

<!-- ==== the derivation -->
<xsl:template match="r:derivation">
  <section id="derivation">
    <h2>Derivation</h2>
    <p>Every number above links to its step. A step follows from its inputs by its rule's equation, in which the inputs stand by their roles; a given number names its place in the inputs.</p>
    <xsl:for-each select="r:step[position() mod 100 = 1]">
      <xsl:variable name="steps" select="key('group', position() - 1)"/>
      <details class="steps"><summary>Steps <xsl:value-of select="@id"/> to <xsl:value-of select="$steps[last()]/@id"/></summary>
        <xsl:apply-templates select="$steps"/>
      </details>
    </xsl:for-each>
    <details class="steps"><summary>Rules used (<xsl:value-of select="count(../r:rules/r:rule)"/>)</summary>
      <div class="scroll"><table class="sortable words">
        <thead><tr><th>Rule</th><th>Unit</th><th>Equation</th><th>Source</th></tr></thead>
        <tbody><xsl:for-each select="../r:rules/r:rule">
          <tr><th scope="row"><xsl:value-of select="@name"/></th><td><xsl:value-of select="@unit"/></td><td><xsl:value-of select="."/></td><td><xsl:value-of select="@cites"/></td></tr>
        </xsl:for-each></tbody>
      </table></div>
    </details>
  </section>
</xsl:template>

<xsl:template match="r:step">
  <div class="step" id="{@id}">
    <p><a class="name" href="#{@id}"><xsl:value-of select="@id"/></a><xsl:text> </xsl:text><strong><xsl:call-template name="value"><xsl:with-param name="step" select="."/></xsl:call-template></strong><xsl:text> </xsl:text><code><xsl:value-of select="@about"/></code></p>
    <p class="rule"><b><xsl:value-of select="@rule"/></b><xsl:if test="@rule != 'given'">: <xsl:value-of select="key('rule', @rule)"/></xsl:if>
      <xsl:if test="@at">, <code><xsl:value-of select="@at"/></code></xsl:if>
      <xsl:if test="@origin">, origin <xsl:value-of select="@origin"/></xsl:if>
      <xsl:if test="@source">, <xsl:value-of select="@source"/></xsl:if>
      <xsl:if test="@declared-by">, declared by <xsl:value-of select="@declared-by"/></xsl:if></p>
    <xsl:if test="r:from">
      <ul><xsl:for-each select="r:from">
        <xsl:variable name="of" select="key('step', @step)"/>
        <li><b><xsl:value-of select="@role"/></b> = <xsl:call-template name="value"><xsl:with-param name="step" select="$of"/></xsl:call-template><xsl:text> </xsl:text><a href="#{@step}"><xsl:value-of select="@step"/></a><xsl:text> </xsl:text><code><xsl:value-of select="$of/@about"/></code></li>
      </xsl:for-each></ul>
    </xsl:if>
    <xsl:variable name="users" select="key('user', @id)"/>
    <xsl:if test="$users">
      <p class="users">used by <xsl:for-each select="$users[position() &lt;= 20]"><a href="#{@id}"><xsl:value-of select="@id"/></a><xsl:text> </xsl:text></xsl:for-each><xsl:if test="count($users) &gt; 20">and <xsl:value-of select="count($users) - 20"/> more</xsl:if></p>
    </xsl:if>
  </div>
</xsl:template>

<xsl:template name="environment">
  <xsl:for-each select="r:environment">
    <p>Written by <xsl:value-of select="concat(@tool, ' ', @version)"/><xsl:if test="@date">, <xsl:value-of select="@date"/></xsl:if>; compiler <xsl:value-of select="@compiler"/>; libraries
      <xsl:for-each select="@*[not(contains(' tool version manual compiler executable-sha256 date ', concat(' ', name(), ' ')))]"><xsl:if test="position() &gt; 1">, </xsl:if><xsl:value-of select="concat(name(), ' ', .)"/></xsl:for-each>.</p>
    <xsl:if test="@executable-sha256"><p>SHA-256 of the executable: <code class="hash"><xsl:value-of select="@executable-sha256"/></code></p></xsl:if>
  </xsl:for-each>
  <p>A bound is as good as its assumptions and its input. This page shows what the report says; the report is the record.</p>
</xsl:template>

<!-- ==== looks -->
<xsl:template name="style">
:root { --paper: #fff; --ink: #1c2126; --soft: #5a646e; --line: #d3d9df; --tint: #f3f5f7; --link: #0b57a4;
  --good: #10672e; --bad: #b01e1e; --open: #845300; --jitter: #8d5fb4; --host: #7b8794; --own: #1f6fb5; --other: #e3953b; }
@media (prefers-color-scheme: dark) { :root { --paper: #15181c; --ink: #e3e7eb; --soft: #a3adb7; --line: #3a424a; --tint: #1e2328; --link: #84bdf5;
  --good: #74d192; --bad: #ff938c; --open: #f0c069; --jitter: #b891dc; --host: #8f9ba8; --own: #4d9de0; --other: #d98d35; } }
* { box-sizing: border-box; }
html { font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; color: var(--ink); background: var(--paper); scroll-padding-top: 3.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 72rem; padding: 0 1.25rem 3rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.35rem; margin: 2.75rem 0 .5rem; padding-top: .5rem; border-top: 2px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.75rem 0 .4rem; }
h4 { font-size: .95rem; margin: 1rem 0 .3rem; }
p { margin: .4rem 0; overflow-wrap: break-word; }
a { color: var(--link); }
code { font: .9em/1.4 ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
header { padding-top: 1.75rem; }
.kind { color: var(--soft); margin: 0; }
.lead { font-size: 1.1rem; }
.small, footer { color: var(--soft); font-size: .85rem; }
footer { overflow-wrap: anywhere; margin-top: 3rem; border-top: 1px solid var(--line); padding-top: .75rem; }
nav { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: .15rem 1rem; background: var(--paper); border-bottom: 1px solid var(--line); margin: 1rem -1.25rem 0; padding: .45rem 1.25rem; }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav button { margin-left: auto; }
button { font: inherit; color: inherit; background: none; border: 1px solid var(--line); border-radius: 4px; cursor: pointer; padding: 0 .5rem; }
.verdict { font-weight: 600; white-space: nowrap; }
.lead .verdict { border: 2px solid; border-radius: 5px; padding: .05rem .5rem; margin-left: .4rem; }
.proven, .holds, .bounded-true { color: var(--good); }
.not-proven, .broken, .bounded-false { color: var(--bad); }
.no-bound, .unstated, .conditional { color: var(--open); }
.note { border-left: 4px solid var(--open); background: var(--tint); padding: .5rem .75rem; margin: .6rem 0; }
.reason { color: var(--soft); margin: 0; }
.scroll { overflow-x: auto; margin: .4rem 0 .8rem; /* a shadow where more is to the right */
  background: linear-gradient(to left, var(--paper) 40%, transparent) right / 2.5rem 100% no-repeat local, linear-gradient(to left, var(--line), transparent) right / .8rem 100% no-repeat scroll; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .7rem .35rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 600; white-space: nowrap; vertical-align: bottom; }
thead button { border: 0; padding: 0; font-weight: inherit; color: inherit; }
thead button::after { content: " \2195"; opacity: .45; }
th[aria-sort=ascending] button::after { content: " \2191"; opacity: 1; }
th[aria-sort=descending] button::after { content: " \2193"; opacity: 1; }
tbody th { font-weight: 600; overflow-wrap: anywhere; min-width: 6rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.number + :not(.number), th.number + :not(.number) { padding-left: .9rem; }
table.words td { min-width: 8rem; } table.words tbody th { min-width: 9.5rem; }
table.words td:nth-child(3) { min-width: 14rem; }
.chart { margin: 1rem 0 1.25rem; }
.chart figcaption { color: var(--soft); font-size: .9rem; margin-bottom: .5rem; }
.picture { margin: .6rem 0 1.2rem; } .picture .scroll { background: none; } .picture svg { display: block; width: 100%; min-width: 56rem; height: auto; }
.picture figcaption { color: var(--soft); font-size: .85rem; }
.key { display: inline-block; white-space: nowrap; margin-right: .8rem; }
.key::before { content: ""; display: inline-block; width: .8rem; height: .8rem; margin-right: .3rem; vertical-align: -.08rem; background: var(--host); print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.key.jitter::before { background: var(--jitter); }
.key.own::before { background: var(--own); }
.key.other::before { background: var(--other); }
.key.due::before { background: var(--ink); width: .25rem; }
.bar { margin: .55rem 0; break-inside: avoid; }
.bar p { margin: 0; display: flex; flex-wrap: wrap; gap: 0 .75rem; }
.bar p a { overflow-wrap: anywhere; }
.figures { margin-left: auto; font-variant-numeric: tabular-nums; color: var(--soft); }
.bar svg { display: block; width: 100%; height: 1.5rem; }
.track { fill: var(--tint); } .jitter { fill: var(--jitter); } .host { fill: var(--host); } .own { fill: var(--own); } .other { fill: var(--other); }
.deadline, .cut { fill: var(--ink); }
.unknown { stroke: var(--open); stroke-width: 2; fill: none; vector-effect: non-scaling-stroke; }
details { margin: .5rem 0; }
summary { cursor: pointer; }
details.task { border: 1px solid var(--line); border-radius: 5px; padding: .4rem .9rem; }
details.task > summary { display: flex; flex-wrap: wrap; gap: 0 .75rem; align-items: baseline; list-style: none; }
details.task > summary::-webkit-details-marker { display: none; }
details.task > summary::before { content: "\25B8"; color: var(--soft); }
details.task[open] > summary::before { content: "\25BE"; }
summary h3 { display: inline; margin: 0; overflow-wrap: anywhere; }
.files dt { font-weight: 600; margin-top: .5rem; } .files dd { margin: 0; }
.hash { font-size: .8em; }
.id { white-space: nowrap; }
.step { border-left: 3px solid var(--line); padding: .25rem 0 .25rem .8rem; margin: .7rem 0; break-inside: avoid; }
.step p { margin: 0; } .step ul { margin: .1rem 0; padding-left: 1.2rem; }
.step .name { font-weight: 700; }
.rule, .users { color: var(--soft); font-size: .9rem; }
:target { background: var(--tint); border-color: var(--link); outline: 2px solid var(--link); outline-offset: 2px; }
section:target { outline: 0; background: none; }
@media (max-width: 40rem) { table.words tbody th { min-width: 6rem; } body { padding: 0 .9rem 2rem; } nav { position: static; margin: 1rem -.9rem 0; padding: .45rem .9rem; } html { scroll-padding-top: .5rem; } h1 { font-size: 1.5rem; } table { font-size: .88rem; } .figures { margin-left: 0; } }
@media print { :root { --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --tint: #f3f3f3; --link: #000; --good: #10672e; --bad: #b01e1e; --open: #845300; }
  html { font-size: 10pt; } body { max-width: none; padding: 0; } nav, button { display: none; } a { text-decoration: none; }
  thead button { display: inline; } thead button::after { content: ""; } .scroll { overflow: visible; background: none; } tr { break-inside: avoid; } h2, h3, h4 { break-after: avoid; } .picture { break-inside: avoid; } .picture svg { min-width: 0; max-height: 24cm; } table.words td, table.words td:nth-child(3) { min-width: 0; } }
</xsl:template>

<xsl:template name="script"><![CDATA[
(function () {
  "use strict";
  function key(row, column) {
    var cell = row.cells[column], sort = cell.getAttribute("data-sort");
    return sort === null ? cell.textContent.trim() : sort === "" ? null : Number(sort);
  }
  function compare(a, b) {
    if (a === null || b === null) return (a === null) - (b === null);
    return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
  }
  function sort(table, head) {
    var column = head.cellIndex, body = table.tBodies[0], rows = Array.prototype.slice.call(body.rows);
    var down = head.getAttribute("aria-sort") === "ascending";
    Array.prototype.forEach.call(head.parentNode.cells, function (other) { other.removeAttribute("aria-sort"); });
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    rows.sort(function (a, b) { var order = compare(key(a, column), key(b, column)); return down ? -order : order; });
    rows.forEach(function (row) { body.appendChild(row); });
  }
  document.querySelectorAll("table.sortable").forEach(function (table) {
    if (table.tBodies[0].rows.length > 1) Array.prototype.forEach.call(table.tHead.rows[0].cells, function (head) {
      var button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.textContent = "";
      head.appendChild(button);
      button.addEventListener("click", function () { sort(table, head); });
    });
  });
  function reveal() {
    var target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (var at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView();
  }
  window.addEventListener("hashchange", reveal);
  reveal();
  var folded = [];
  window.addEventListener("beforeprint", function () {
    folded = Array.prototype.filter.call(document.querySelectorAll("details:not(.steps)"), function (one) { return !one.open; });
    folded.forEach(function (one) { one.open = true; });
  });
  window.addEventListener("afterprint", function () { folded.forEach(function (one) { one.open = false; }); });
  var all = document.createElement("button"), open = false;
  all.type = "button";
  all.textContent = "Unfold all";
  all.addEventListener("click", function () {
    open = !open;
    document.querySelectorAll("details").forEach(function (one) { one.open = open; });
    all.textContent = open ? "Fold all" : "Unfold all";
  });
  document.querySelector("nav").appendChild(all);
})();
]]></xsl:template>
</xsl:stylesheet>
