/* The skeletons: one process, several streams, several processes, whole networks. Their kernels fit every shipped model. */
#include "cli/skeletons.h"

#include <stddef.h>

const struct skeleton skeletons[] = {
	{"process", "One process with one stream",
		"One process whose work is in one stream, in order: nothing of its own runs beside it, so that its bound needs the fewest "
		"facts.",
		"  <application id=\"vision\">\n"
		"    <stream id=\"s0\" kind=\"non-blocking\"/> <!-- cudaStreamNonBlocking; blocking is cudaStreamDefault -->\n"
		"  </application>\n"
		"  <task id=\"detect\" period=\"100ms\" deadline=\"100ms\"> <!-- jitter: the latest release after its nominal time -->\n"
		"    <copy id=\"in\" stream=\"s0\" direction=\"h2d\" wcet=\"1ms\"/> <!-- pinned; alone on its engine -->\n"
		"    <!-- scope block: the WCET of one block, its copies on its SM. registers: ptxas -v, or the trace. -->\n"
		"    <kernel id=\"edges\" stream=\"s0\" scope=\"block\" grid=\"16\" block=\"128\" registers=\"16\" wcet=\"100us\"/>\n"
		"    <!-- scope grid: the WCET of the whole kernel alone on the GPU, where no block times are known. -->\n"
		"    <kernel id=\"fit\" stream=\"s0\" scope=\"grid\" grid=\"16\" block=\"128\" registers=\"16\" wcet=\"100us\"/>\n"
		"    <copy id=\"out\" stream=\"s0\" direction=\"d2h\" wcet=\"1ms\"/>\n"
		"  </task>\n"},
	{"streams", "One process with several streams",
		"One process with three streams: their kernels meet on the GPU, so that bounds need the rules by which blocks are "
		"dispatched. An event hands each picture from one stream to the next; the third stream comes before both. Give kernels "
		"scope block: beside others, a kernel of which only the whole time is known is charged as if its blocks ran one by one.",
		"  <application id=\"vision\">\n"
		"    <!-- cuda-priority: as for cudaStreamCreateWithPriority, where -5 comes before 0. Give all streams one, or none. -->\n"
		"    <stream id=\"camera\" kind=\"non-blocking\" cuda-priority=\"0\"/>\n"
		"    <stream id=\"network\" kind=\"non-blocking\" cuda-priority=\"0\"/>\n"
		"    <stream id=\"control\" kind=\"non-blocking\" cuda-priority=\"-1\"/>\n"
		"  </application>\n"
		"  <event id=\"picture\"/>\n"
		"  <task id=\"detect\" period=\"100ms\" deadline=\"100ms\"> <!-- in the order in which the program issues it -->\n"
		"    <copy id=\"in\" stream=\"camera\" direction=\"h2d\" wcet=\"1ms\"/>\n"
		"    <kernel id=\"resize\" stream=\"camera\" scope=\"block\" grid=\"16\" block=\"128\" registers=\"16\" wcet=\"100us\"/>\n"
		"    <record id=\"resized\" stream=\"camera\" event=\"picture\"/> <!-- cudaEventRecord -->\n"
		"    <wait id=\"begin\" stream=\"network\" event=\"picture\"/> <!-- cudaStreamWaitEvent -->\n"
		"    <kernel id=\"find\" stream=\"network\" scope=\"block\" grid=\"16\" block=\"128\" registers=\"16\" wcet=\"100us\"/>\n"
		"    <copy id=\"out\" stream=\"network\" direction=\"d2h\" wcet=\"1ms\"/>\n"
		"  </task>\n"
		"  <task id=\"steer\" period=\"100ms\" deadline=\"100ms\">\n"
		"    <kernel id=\"solve\" stream=\"control\" scope=\"block\" grid=\"16\" block=\"128\" registers=\"16\" wcet=\"100us\"/>\n"
		"  </task>\n"},
	{"processes", "Several processes",
		"Two processes, each with a context of its own: the GPU serves them in turns, by time slices, so that neither rests on "
		"what the "
		"other one's kernels are, but for their slices and the switches.",
		"  <application id=\"vision\" timeslice=\"2ms\"> <!-- PLACEHOLDER: what the driver gives its channel group -->\n"
		"    <stream id=\"s0\" kind=\"non-blocking\"/>\n"
		"  </application>\n"
		"  <application id=\"planning\" timeslice=\"2ms\">\n"
		"    <stream id=\"p0\" kind=\"non-blocking\"/>\n"
		"  </application>\n"
		"  <task id=\"detect\" period=\"200ms\" deadline=\"200ms\">\n"
		"    <copy id=\"in\" stream=\"s0\" direction=\"h2d\" wcet=\"1ms\"/>\n"
		"    <kernel id=\"edges\" stream=\"s0\" scope=\"block\" grid=\"16\" block=\"128\" registers=\"16\" wcet=\"100us\"/>\n"
		"    <copy id=\"out\" stream=\"s0\" direction=\"d2h\" wcet=\"1ms\"/>\n"
		"  </task>\n"
		"  <task id=\"plan\" period=\"200ms\" deadline=\"200ms\">\n"
		"    <kernel id=\"search\" stream=\"p0\" scope=\"grid\" grid=\"16\" block=\"128\" registers=\"16\" wcet=\"100us\"/>\n"
		"  </task>\n"},
	{"network", "A neural network",
		"A neural network that runs alone in its stream: each layer a kernel of scope grid, with the greatest time of a trace. "
		"Beside other "
		"streams of its process such kernels have no useful bound: keep the network in a process of its own, as here, or give "
		"block times.",
		"  <application id=\"inference\">\n"
		"    <stream id=\"s0\" kind=\"non-blocking\"/>\n"
		"  </application>\n"
		"  <!-- The hundreds of kernels of a real network are not typed: gpubound import nsys writes them from a trace. -->\n"
		"  <task id=\"infer\" period=\"100ms\" deadline=\"100ms\">\n"
		"    <copy id=\"input\" stream=\"s0\" direction=\"h2d\" wcet=\"1ms\"/>\n"
		"    <kernel id=\"layer1\" stream=\"s0\" scope=\"grid\" grid=\"16\" block=\"128\" registers=\"16\" wcet=\"100us\"/>\n"
		"    <kernel id=\"layer2\" stream=\"s0\" scope=\"grid\" grid=\"16\" block=\"128\" registers=\"16\" wcet=\"100us\"/>\n"
		"    <kernel id=\"softmax\" stream=\"s0\" scope=\"grid\" grid=\"16\" block=\"128\" registers=\"16\" wcet=\"100us\"/>\n"
		"    <copy id=\"output\" stream=\"s0\" direction=\"d2h\" wcet=\"1ms\"/>\n"
		"  </task>\n"},
	{NULL, NULL, NULL, NULL},
};
