"""Runs a peer that is a Python library, in the Python that it needs: reads work from stdin, writes the responses to stdout, both JSON.

In: {"policy": "fp", "fifo" or "turns", "sets": [[[C, T], ...], ...]}, of whole numbers, the first task the highest; with "turns" also "slice".
Out: {"responses": [[R or null, ...], ...], "seconds": what the analyses took, without what comes before}. null: no response within the horizon.
SchedCAT is written for Python 2, so this file is for Python 2 and 3.

usage: libraries.py pyrta|pycpa|schedcat FOLDER
"""
import json
import os
import sys
import time

HORIZON = 100  # greatest periods; behind it there is no response


def with_pyrta(policy, tasks):
    from response_time_analysis import fifo, fp
    from response_time_analysis.model import WCET, Deadline, FullyNonPreemptive, IdealProcessor, Priority, Sporadic, Task, taskset

    models = [Task(Sporadic(period), FullyNonPreemptive(WCET(cost)), Deadline(period), Priority(len(tasks) - i))
              for i, (cost, period) in enumerate(tasks)]
    horizon = HORIZON * max(period for cost, period in tasks)
    if policy == "fifo":
        return [fifo.rta(taskset(*models), IdealProcessor(), horizon=horizon).response_time_bound] * len(tasks)
    return [fp.rta(taskset(*models), model, IdealProcessor(), horizon=horizon).response_time_bound for model in models]


def with_pycpa(policy, tasks, slot=None):
    from pycpa import analysis, model, options, schedulers

    options.init_pycpa(True)
    options.set_opt("max_wcrt", HORIZON * max(period for cost, period in tasks))
    system = model.System()
    scheduler = schedulers.SPNPScheduler() if policy == "fp" else schedulers.RoundRobinScheduler()
    resource = system.bind_resource(model.Resource("gpu", scheduler))
    models = []
    for i, (cost, period) in enumerate(tasks):
        models.append(resource.bind_task(model.Task("t%d" % i, wcet=cost, bcet=cost, scheduling_parameter=slot or i + 1)))
        models[-1].in_event_model = model.PJdEventModel(P=period, J=0)
    try:
        results = analysis.analyze_system(system)
    except analysis.NotSchedulableException:
        return [None] * len(tasks)
    return [results[task].wcrt for task in models]


def with_schedcat(policy, tasks):
    """Its analysis of a CAN bus: messages without preemption. A response above the deadline is where its iteration stopped."""
    from schedcat.model.canbus import CANMessage, CANMessageSet

    messages = CANMessageSet([CANMessage(0, period, period, id=i) for i, (cost, period) in enumerate(tasks)])
    messages.tau, messages.inter_frame_space, messages.max_error_frame_size = 1, 0, 0
    for message, (cost, period) in zip(messages, tasks):
        message.transfer_delay = cost
    responses = [messages.get_wctt(message, 0) for message in messages]
    return [int(response) if response <= period else None for response, (cost, period) in zip(responses, tasks)]


def main():
    peer, folder = sys.argv[1:3]
    sys.path.insert(0, os.path.join(folder, "src") if peer == "pyrta" else folder)
    sys.argv = sys.argv[:1]  # pyCPA reads it
    work = json.load(sys.stdin)
    analyse = {"pyrta": with_pyrta, "pycpa": with_pycpa, "schedcat": with_schedcat}[peer]
    more = [work["slice"]] if work["policy"] == "turns" else []
    analyse(work["policy"], work["sets"][0], *more)  # loads what it needs
    begin = time.time()
    responses = [analyse(work["policy"], tasks, *more) for tasks in work["sets"]]
    json.dump({"responses": responses, "seconds": time.time() - begin}, sys.stdout)


if __name__ == "__main__":
    main()
