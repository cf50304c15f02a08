"""Work that is known by its span: where the span is what it costs, what it costs where its turn may be lost, where it costs nothing known.

usage: sequences.py GPUBOUND SOURCE_ROOT
"""
import re
import sys
import unittest

from boundaries import BOUND, Case, platform  # what both need of a made-up platform

FED = ["A-HOL", "A-PRIO", "A-WC", "A-RUNLIST", "A-CE"]
SEQUENCE = '<sequence id="k" stream="s0" wcet="550us" bcet="500us" operations="50" linear="true"{0}/>'
BESIDE = '<kernel id="o" stream="{0}" scope="grid" wcet="1ms"/>'
ONE = '<application id="a"><stream id="s0"/></application><task id="t0" period="40ms">{0}</task>'
SLICED = ('<application id="a" timeslice="100us"><stream id="s0"/></application><application id="b" timeslice="100us"><stream id="s1"/></application>'
          '<task id="t0" period="40ms">{0}</task><task id="t1" period="40ms">' + BESIDE.format("s1") + '</task>')
MIXED = ('<application id="a"><stream id="s0"/><stream id="s1"/></application><task id="t0" period="40ms">{0}</task><task id="t1" period="40ms">'
         + BESIDE.format("s1") + '</task>')
COPIED = ('<application id="a"><stream id="s0"/><stream id="s1"/></application><task id="t0" period="40ms">{0}</task><task id="t1" period="40ms">'
          '<copy id="c" stream="s1" direction="h2d" wcet="1ms"/></task>')
LOCKED = ('<application id="a"><stream id="s0"/></application><application id="b"><stream id="s1"/></application><lock id="l" protocol="fifo"/>'
          '<task id="t0" period="40ms"><locked lock="l" hold="1us">{0}</locked></task>'
          '<task id="t1" period="40ms"><locked lock="l" hold="1us">' + BESIDE.format("s1") + '</locked></task>')
COPYING = '<factor victim="transfer" from="ee" value="1" source="t"/>'
SPANS = {"P", "P-GPU", "CHAIN", "H", "FP"}


class Spans(Case):
    def least(self, body, more="", granted=FED, preemption="instruction", factors="", slowing=1, **parameters):
        slowed = platform(granted, preemption, factors, **parameters).replace('from="all" value="1"', f'from="all" value="{slowing}"')
        return self.bounds(slowed, body.format(SEQUENCE.format(more)), "t0")

    def test_alone_it_is_one_operation(self):
        found = self.least(ONE, **{"overhead.launch": "5us", "overhead.dependency": "3us"})
        self.assertEqual(found, {name: 558000 for name in SPANS - {"P-GPU"}})

    def test_beside_kernels_of_its_context_it_has_no_bound(self):
        self.assertEqual(self.least(MIXED), {})
        report = self.analyze(platform(FED, "instruction"), MIXED.format(SEQUENCE.format("")))
        for remedy in ("a context of its own", "a lock", "its kernels listed one by one"):
            self.assertIn(remedy, report)

    def test_in_a_partition_it_is_one_operation(self):
        """Its own stream of its partition alone; where operations overlap they hold nobody knows how many grid slots."""
        parts = '<partition id="p" kind="green" sms="0"/><partition id="q" kind="green" sms="1"/>'
        body = parts + MIXED.replace('id="s0"', 'id="s0" partition="p"', 1).replace('id="s1"', 'id="s1" partition="q"', 1)
        apart = platform(FED + ["A-PARTITION"], "instruction")
        self.assertEqual(self.bounds(apart, body.format(SEQUENCE.format("")), "t0"), {name: 550000 for name in ("P", "CHAIN", "H")})
        self.assertEqual(self.bounds(apart, body.format(SEQUENCE.format(' branches="31"')), "t0"), {})  # its branches may share the other's queue
        overlapping = SEQUENCE.format("").replace(' linear="true"', "")
        self.assertEqual(self.bounds(apart, body.format(overlapping), "t0"), {})
        self.assertIn("grid slots", self.analyze(apart, body.format(overlapping)))
        whole = apart.replace('per-sm-carveout="yes"', 'per-sm-carveout="no"')  # what its kernels prefer nobody says
        self.assertEqual(self.bounds(whole, body.format(SEQUENCE.format("")), "t0"), {})

    def test_nothing_is_on_its_sms_when_it_begins(self):
        """Blocks may begin late: dispatch.delay before it is at the head and behind it, dispatch.stall only beside blocks, of which there are none."""
        late = platform(["A-ORDER", "A-PARTITION"], "instruction", **{"dispatch.delay": "1us", "dispatch.stall": "16us"})
        parts = '<partition id="p" kind="green" sms="0"/><partition id="q" kind="green" sms="1"/>'
        body = parts + MIXED.replace('id="s0"', 'id="s0" partition="p"', 1).replace('id="s1"', 'id="s1" partition="q"', 1)
        self.assertEqual(set(self.bounds(late, ONE.format(SEQUENCE.format("")), "t0").values()), {552000})
        self.assertEqual(set(self.bounds(late, body.format(SEQUENCE.format("")), "t0").values()), {552000})
        kernel = BESIDE.format("s0").replace('id="o"', 'id="k"').replace("1ms", "550us")
        self.assertEqual(set(self.bounds(late, ONE.format(kernel), "t0").values()), {568000})  # of a kernel nobody says so

    def test_jobs_that_wait_for_one_another_lose_the_turn_in_each_gap(self):
        """Jobs every 5 ms, and one of another task of the stream now and then: 50 windows for each sequence."""
        other = '<task id="t2" period="400ms"><kernel id="l" stream="s0" scope="grid" wcet="{}"/></task>'
        for length in ("100us", "3ms"):
            body = SLICED.replace("1ms", "30ms") + other.format(length)
            lost, kept = (self.least(body, granted=FED + more, **{"runlist.switch": "10us"}) for more in ([], ["A-PENDING"]))
            self.assertGreaterEqual(lost["CHAIN"], kept["CHAIN"] + 40 * 110000)

    def test_each_gap_may_lose_the_turn(self):
        """50 pieces of 550 us in slices of 100 us: 55 gaps of 100 us and two switches; one piece: 6."""
        lost, kept = self.least(SLICED), self.least(SLICED, granted=FED + ["A-PENDING"])
        self.assertEqual(lost["P"], 550000 + 55 * 102000)
        self.assertEqual(kept["P"], 550000 + 6 * 102000)
        self.assertEqual(set(lost), {"P", "P-GPU", "CHAIN"})
        self.assertEqual(set(kept), {"P", "P-GPU", "CHAIN", "H"})
        for name in lost:
            self.assertLessEqual(kept[name], lost[name])
        # P-GPU: 550 us and 1 ms of work; 5 slices and 50 ends of operations, 10 slices and 1 end; each turn a switch
        self.assertEqual(lost["P-GPU"], 1550000 + (5 + 50) * 1000 + (10 + 1) * 1000)

    def test_the_turn_is_kept_by_who_vouches_for_it(self):
        report = self.analyze(platform(FED + ["A-PENDING"], "instruction"), SLICED.format(SEQUENCE.format("")))
        self.refused_without("A-PENDING", report)

    def test_a_refill_takes_from_the_slice(self):
        """90 us of each slice are left: ceil(550 / 90) = 7 gaps, each of 90 us of the other context and two switches of 11 us."""
        found = self.least(SLICED, granted=FED + ["A-PENDING"], switch_refill="10us")
        self.assertEqual(found["P"], 550000 + 7 * (90000 + 2 * 11000))
        self.assertEqual(self.least(SLICED, granted=FED + ["A-PENDING"], switch_refill="100us"), {})

    def test_gangs_keep_their_span_undisturbed_only(self):
        for more, kept in (("", False), (' plain="true"', True)):
            with self.subTest(more=more):
                self.assertNotEqual(self.least(ONE, more), {})
                self.assertEqual(self.least(SLICED, more, preemption="block") != {}, kept)
                self.assertEqual(self.least(ONE, more, stops_length="1us", stops_distance="1ms") != {}, kept)
                self.assertEqual(self.least(COPIED, more, factors=COPYING, slowing=2) != {}, kept)
                self.assertNotEqual(self.least(COPIED, more, factors=COPYING), {})

    def test_others_do_not_know_how_long_a_gang_goes_on(self):
        for more, kept in (("", False), (' plain="true"', True), (' plain="true" longest="20us"', True)):
            found = self.bounds(platform(FED, "block"), SLICED.format(SEQUENCE.format(more)), "t1")
            self.assertEqual("P" in found, kept, more)
        # ceil(1000 / 100) gaps: the other's slice, what it goes on for, two switches, its own kernel
        self.assertEqual(found["P"], 1000000 + 10 * (100000 + 20000 + 2000 + 1000000))

    def test_a_plain_one_needs_a_dispatcher_that_uses_its_room(self):
        for granted, kept in ((FED, True), ([name for name in FED if name != "A-WC"], False)):
            self.assertEqual(self.least(SLICED, ' plain="true"', granted, "block") != {}, kept)

    def test_single_launches_have_to_be_fed(self):
        report = self.analyze(platform(FED), ONE.format(SEQUENCE.format(' launch="single"')))
        self.refused_without("A-FED", report)

    def test_clusters_and_cooperative_launches(self):
        for gang in ('cluster="4"', 'launch="cooperative"'):
            kernel = f'<kernel id="k" stream="s0" scope="grid" wcet="550us" {gang}/>'
            self.assertEqual(self.bounds(platform(FED), ONE.format(kernel), "t0")["P"], 550000)
            self.assertEqual(self.bounds(platform(FED), MIXED.format(kernel), "t0"), {})
            self.assertEqual(self.bounds(platform(FED, "block"), SLICED.format(kernel), "t0"), {})

    def test_gaps_pass_in_the_turns_of_others(self):
        """Then other operations overlap than in the measurement: 63 where 19 alone had made 61 (tests/small_machine.py)."""
        for body, kept in ((SLICED, False), (ONE, True), (LOCKED, True)):
            overlapping = body.format(SEQUENCE.format("").replace(' linear="true"', ""))
            self.assertEqual(self.bounds(platform(FED + ["A-PENDING"], "instruction"), overlapping, "t0") != {}, kept)

    def test_branches_are_hardware_queues(self):
        for branches, applies in ((1, True), (2, True), (3, False)):
            found = self.least(COPIED, f' branches="{branches}"', factors=COPYING, **{"queues.hardware": 5})
            self.assertEqual("CHAIN" in found, applies, branches)

    def test_a_copy_before_one_branch_holds_that_one_up(self):
        """Two SMs of one block: X of 10 behind one of 4; Y, two of 5, behind 1 and a gap of 6; two of 5. 19 alone, 22 with a copy of 1 before the branch of X."""
        body = ('<application id="a"><stream id="s0"/><stream id="s1"/></application><task id="t0" period="1us"><sequence id="k" stream="s0" operations="5" '
                'branches="3" wcet="19ns"{0}/></task><task id="t1" period="1us"><copy id="c" stream="s1" direction="h2d" wcet="1ns"/></task>')
        for more, queues, least in (("", 6, 20), ("", 5, None), (' linear="true"', 5, 20)):
            chip = platform(FED, "instruction", COPYING.replace("ee", "all"), **{"queues.hardware": queues})
            found = self.bounds(chip, body.format(more), "t0")
            self.assertEqual(found.get("P"), least, (more, queues, found))
            self.assertLessEqual(set(found), SPANS if least else set())


PARTS = ('<partition id="p" kind="green" sms="0"/><partition id="q" kind="green" sms="1"/><partition id="r" kind="green" sms="2"/>'
         '<application id="a"><stream id="s0" partition="p"/><stream id="s1" partition="q"/><stream id="s2" partition="r"/></application>'
         '<task id="t0" period="40ms">{0}</task><task id="t1" period="40ms">' + BESIDE.format("s1") + '</task>'
         '<task id="t2" period="40ms"><copy id="c" stream="s2" direction="h2d" wcet="1ms"/></task>')


def company(value, *tasks, of="k", sms=1):
    """t2 has a copy alone, so no SMs."""
    return f'<company of="{of}" value="{value}" sms="{sms}">' + "".join(f'<beside task="t{t}" sms="{int(t == 1)}"/>' for t in tasks) + "</company>"


class Companies(Case):
    """[COMPANY]"""

    def least(self, companies, body=PARTS, more="", preemption="instruction", **parameters):
        factors = '<factor victim="transfer" from="ee" value="1" source="t"/>'
        chip = platform(FED + ["A-PARTITION", "A-PENDING"], preemption, factors, **{"sm.count": 3, **parameters}).replace('from="all"', 'from="out"')
        self.report = self.analyze(chip, body.format(SEQUENCE.format(more)) + "".join(companies))
        part = re.search(r'<task id="t0".*?</task>', self.report, flags=re.S).group()
        return {name: int(value) for name, value in BOUND.findall(part) if value}

    def test_the_greatest_of_all_that_may_be_there(self):
        """Each alone and both together: what two do together may be less than what one does."""
        for alone, together, greatest in ((1.5, 1.2, 1.5), (1.1, 1.6, 1.6)):
            found = self.least([company(alone, 1), company("1", 2), company(together, 1, 2)])
            self.assertEqual(found, {name: 550000 * greatest for name in ("P", "CHAIN", "H")})
        self.refused_without("A-COMPANY", self.report)

    def test_each_has_to_be_measured_alone_and_all_together(self):
        measured = [company("1.1", 1), company("1.2", 2), company("1.3", 1, 2)]
        for missing, said in ((0, "no company says what task 't1' alone does to 'k'"), (1, "what task 't2' alone"), (2, "what 't1', 't2' together do")):
            self.assertEqual(self.least(measured[:missing] + measured[missing + 1:]), {})
            self.assertIn(said, self.report.replace("&apos;", "'"))

    def test_who_may_not_be_there_does_not_count(self):
        """Kernels of another context are never beside it, copies are; under a lock nobody is."""
        other = SLICED + '<task id="t2" period="40ms"><copy id="c" stream="s1" direction="h2d" wcet="1ms"/></task>'
        both = [company("9", 1, 2, sms=3).replace('sms="1"/>', 'sms="3"/>'), company("9", 1, sms=3).replace('sms="1"/>', 'sms="3"/>')]
        alone = [company("1.2", 2, sms=3)]
        self.assertEqual(self.least(alone + both, other)["P"], 660000 + 7 * 102000)
        under = LOCKED + company("2", 1, sms=3).replace('sms="1"/>', 'sms="3"/>')
        self.assertEqual(self.least([], under), {"LOCK": 552000 + 1002000})

    def test_a_span_of_gangs_keeps_it(self):
        for more in ("", ' plain="true"'):
            self.assertEqual(self.least([company("1.1", 1), company("1", 2), company("1.2", 1, 2)], more=more)["P"], 660000)

    def test_never_in_parts(self):
        """Cut at blocks, or stopped in a part of the chip; what it adds may all be in one of its operations."""
        both = [company("1.1", 1), company("1", 2), company("1.2", 1, 2)]
        self.assertEqual(self.least(both, more=' plain="true"', stops_length="1us", stops_distance="1ms"), {})
        other = SLICED + '<task id="t2" period="40ms"><copy id="c" stream="s1" direction="h2d" wcet="1ms"/></task>'
        self.assertEqual(self.least([company("1.2", 2, sms=3)], other, ' plain="true"', "block"), {})
        self.assertEqual(self.least([company("1.2", 2, sms=3)], other, ' plain="true" longest="20us"', "block"), {})
        part = re.search(r'<task id="t1".*?</task>', self.report, re.S)
        # the copy; ceil(1000 / 100) gaps: the other's slice, all of its 660 us, two switches, its own kernel
        self.assertIn(f'<bound name="P" value="{2000000 + 10 * (100000 + 660000 + 2000 + 1000000)}"', part.group())

    def test_its_own_task_is_no_company(self):
        own = PARTS.replace("{0}", '{0}<copy id="d" stream="s2" direction="h2d" wcet="1us"/>')
        self.assertEqual(self.least([company("1.1", 1), company("1", 2), company("1.2", 1, 2)], own), {})
        self.assertIn("work of its own task on other streams", self.report)

    def test_it_is_no_rate(self):
        """Of a context with kernels of one stream and copies: P would charge both once, were the factor one of each instant."""
        found = self.least([company("3", 1, sms=3).replace('sms="1"/>', 'sms="0"/>')], COPIED)
        self.assertEqual(found["P"], 1650000 + 1000000)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
