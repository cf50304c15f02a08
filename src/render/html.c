/* HTML, by the shipped stylesheet: the one file that includes libxslt's headers. It opens nothing but the stylesheet. */
#include "render/render.h"

#include "base/late.h"

#include <libxml/parser.h>
#include <libxslt/security.h>
#include <libxslt/transform.h>
#include <libxslt/xsltutils.h>
#include <string.h>

#define xsltApplyStylesheetUser LATE(XSLT, xsltApplyStylesheetUser)
#define xsltCleanupGlobals LATE(XSLT, xsltCleanupGlobals)
#define xsltFreeSecurityPrefs LATE(XSLT, xsltFreeSecurityPrefs)
#define xsltFreeStylesheet LATE(XSLT, xsltFreeStylesheet)
#define xsltFreeTransformContext LATE(XSLT, xsltFreeTransformContext)
#define xsltNewSecurityPrefs LATE(XSLT, xsltNewSecurityPrefs)
#define xsltNewTransformContext LATE(XSLT, xsltNewTransformContext)
#define xsltParseStylesheetDoc LATE(XSLT, xsltParseStylesheetDoc)
#define xsltSaveResultToString LATE(XSLT, xsltSaveResultToString)
#define xsltSecurityForbid LATE(XSLT, xsltSecurityForbid)
#define xsltSetCtxtSecurityPrefs LATE(XSLT, xsltSetCtxtSecurityPrefs)
#define xsltSetGenericErrorFunc LATE(XSLT, xsltSetGenericErrorFunc)
#define xsltSetSecurityPrefs LATE(XSLT, xsltSetSecurityPrefs)
#define xsltSetTransformErrorFunc LATE(XSLT, xsltSetTransformErrorFunc)

/* The first message of libxml2 or libxslt, for the diagnostic. */
struct message {
	char text[200];
	size_t length;
};

static void keep_message(void *context, const char *format, ...)
{
	struct message *message = context;
	va_list arguments;
	va_start(arguments, format);
	size_t room = sizeof message->text - message->length;
	int length = vsnprintf(message->text + message->length, room, format, arguments);
	va_end(arguments);
	if (length > 0)
		message->length += (size_t)length < room ? (size_t)length : room - 1;
}

static bool unusable(const struct render *render, const char *path, const struct message *message)
{
	const char *said = element_shorten(render->arena, message->length > 0 ? message->text : "it cannot be read", SHORT_VALUE);
	diagnose(render->diagnostics, DIAGNOSTIC_STYLESHEET_UNUSABLE, path, 0, "expected the stylesheet for reports; %s", said);
	return false;
}

static xmlDocPtr parse(const char *bytes, size_t length)
{
	const int huge = length > INPUT_LIMIT ? XML_PARSE_HUGE : 0; /* the report was scanned: scan.h bounds what it holds */
	return xmlReadMemory(bytes, (int)length, NULL, "UTF-8", XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | huge);
}

static xsltStylesheetPtr read_stylesheet(const struct render *render, const char *path)
{
	size_t length;
	const char *bytes = input_read_file(render->arena, render->diagnostics, path, &length);
	xmlDocPtr text = bytes != NULL ? parse(bytes, length) : NULL;
	xsltStylesheetPtr stylesheet = text != NULL ? xsltParseStylesheetDoc(text) : NULL;
	if (stylesheet == NULL)
		xmlFreeDoc(text);
	return stylesheet;
}

/* A transformation that may neither read nor write. */
static xmlDocPtr transform(xsltStylesheetPtr stylesheet, xmlDocPtr report, struct message *message)
{
	static const xsltSecurityOption options[] = {XSLT_SECPREF_READ_FILE, XSLT_SECPREF_WRITE_FILE, XSLT_SECPREF_CREATE_DIRECTORY,
		XSLT_SECPREF_READ_NETWORK, XSLT_SECPREF_WRITE_NETWORK};
	xsltSecurityPrefsPtr closed = xsltNewSecurityPrefs();
	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		xsltSetSecurityPrefs(closed, options[i], xsltSecurityForbid);
	xsltTransformContextPtr context = xsltNewTransformContext(stylesheet, report);
	xsltSetTransformErrorFunc(context, message, keep_message);
	xsltSetCtxtSecurityPrefs(closed, context);
	xmlDocPtr page = xsltApplyStylesheetUser(stylesheet, report, NULL, NULL, NULL, context);
	if (context->state != XSLT_STATE_OK) {
		xmlFreeDoc(page);
		page = NULL;
	}
	xsltFreeTransformContext(context);
	xsltFreeSecurityPrefs(closed);
	return page;
}

static bool save(struct output *output, xsltStylesheetPtr stylesheet, xmlDocPtr page)
{
	xmlChar *text = NULL;
	int length = 0;
	bool saved = page != NULL && xsltSaveResultToString(&text, &length, page, stylesheet) == 0 && text != NULL;
	if (saved)
		output_add_bytes(output, (const char *)text, (size_t)length);
	xmlFree(text);
	return saved;
}

static void add_word(xmlNodePtr node, const char *name, const char *value)
{
	if (value != NULL)
		xmlNewProp(node, (const xmlChar *)name, (const xmlChar *)value);
}

/* The pictures as children of the report, in memory only: <figures><figure name command about reason>svg</figure></figures>. */
static bool add_figures(const struct render *render, xmlDocPtr report)
{
	xmlNodePtr root = report != NULL ? xmlDocGetRootElement(report) : NULL;
	if (render->figure_count == 0 || root == NULL)
		return true;
	xmlNodePtr list = xmlNewChild(root, root->ns, (const xmlChar *)"figures", NULL);
	for (int i = 0; i < render->figure_count; i++) {
		const struct render_figure *figure = &render->figures[i];
		xmlNodePtr node = xmlNewChild(list, root->ns, (const xmlChar *)"figure", NULL);
		xmlNewProp(node, (const xmlChar *)"name", (const xmlChar *)figure->name);
		add_word(node, "command", figure->command);
		add_word(node, "about", figure->about);
		add_word(node, "reason", figure->reason);
		if (figure->reason != NULL)
			continue;
		xmlDocPtr picture =
			xmlReadMemory(figure->svg.text, (int)figure->svg.length, NULL, "UTF-8", XML_PARSE_NONET | XML_PARSE_HUGE);
		if (picture == NULL)
			return false;
		xmlAddChild(node, xmlDocCopyNode(xmlDocGetRootElement(picture), report, 1));
		xmlFreeDoc(picture);
	}
	return true;
}

bool render_html(const struct render *render, struct output *output)
{
	struct message message = {"", 0};
	const char *path = arena_format(render->arena, "%s/report.xsl", render->schemas);
	xsltSetGenericErrorFunc(&message, keep_message);
	xsltStylesheetPtr stylesheet = read_stylesheet(render, path);
	if (stylesheet == NULL)
		return unusable(render, path, &message);
	xmlDocPtr report = parse(render->report->bytes, render->report->length);
	xmlDocPtr page = add_figures(render, report) ? transform(stylesheet, report, &message) : NULL;
	bool saved = save(output, stylesheet, page) || unusable(render, path, &message);
	xmlFreeDoc(page);
	xmlFreeDoc(report);
	xsltFreeStylesheet(stylesheet);
	xsltCleanupGlobals();
	return saved;
}
