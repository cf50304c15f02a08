"""Databases as `nsys export --type sqlite` writes them. Made here by the exporter's schema (tables and columns of schema 3.x), since no
real one may be kept: trace.sqlite has two processes, copies with labels, a memset and a second stream; old.sqlite the fewest columns and
CUPTI's numbers for copies; recorded.sqlite the calls of the host beside the work, as exports of 2025 have them; the others have one fault
each."""
import os
import sqlite3

KERNEL = ("start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER, "
          "streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, "
          "mangledName INTEGER, launchType INTEGER, registersPerThread INTEGER NOT NULL, gridX INTEGER NOT NULL, gridY INTEGER NOT NULL, "
          "gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL, "
          "staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL, sharedMemoryExecuted INTEGER, graphNodeId INTEGER, "
          "clusterX INTEGER, clusterY INTEGER, clusterZ INTEGER")
OLD = ("start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, demangledName INTEGER, shortName INTEGER, "
       "registersPerThread INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER, "
       "staticSharedMemory INTEGER, dynamicSharedMemory INTEGER")
COPY = ("start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, "
        "globalPid INTEGER, bytes INTEGER NOT NULL, copyKind INTEGER NOT NULL, srcKind INTEGER, dstKind INTEGER")
MEMSET = ("start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, "
          "globalPid INTEGER, value INTEGER, bytes INTEGER NOT NULL")
CALL = ("start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER, correlationId INTEGER, "
        "nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, callchainId INTEGER")
GRAPH = ("start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER, "
         "streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, graphId INTEGER NOT NULL, graphExecId INTEGER NOT NULL")
NAMES = {1: "demo::scale<float>(float *, float, int)", 2: "scale", 3: "_ZN4demo5scaleIfEEvPT_S1_i", 4: "sum(const float *, float *)",
         5: "sum", 6: "_Z3sumPKfPf", 20: "cudaLaunchKernel_v7000", 21: "cudaGraphLaunch_v10000", 22: "cudaMemcpyAsync_v3020",
         23: "cudaStreamSynchronize_v3020", 24: "cudaMemcpy_v3020", 25: "cudaStreamBeginCapture_v10000", 26: "cudaStreamEndCapture_v10000",
         27: "cudaLaunchHostFunc_v10000", 28: "cuLaunchKernel"}


def kernel(start, end, name, grid, block, **more):
    row = dict(start=start, end=end, deviceId=0, contextId=1, streamId=13, globalPid=281474976710656, demangledName=name,
               shortName=name + 1, mangledName=name + 2, launchType=0, registersPerThread=18, gridX=grid, gridY=1, gridZ=1, blockX=block,
               blockY=1, blockZ=1, staticSharedMemory=512, dynamicSharedMemory=0, sharedMemoryExecuted=32768)
    row.update(more)
    return row


def insert(database, table, row):
    database.execute("INSERT INTO %s (%s) VALUES (%s)" % (table, ", ".join(row), ", ".join("?" * len(row))), tuple(row.values()))


def create(path, kernels, columns=KERNEL, copies=(), memsets=(), labels=True, names=True, gpus=(), devices=(), calls=(), graphs=()):
    if os.path.exists(path):
        os.remove(path)
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT)")
    database.execute("INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.25.0')")
    if names:
        database.execute("CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)")
        database.executemany("INSERT INTO StringIds VALUES (?, ?)", NAMES.items())
    if labels:
        database.execute("CREATE TABLE ENUM_CUDA_MEMCPY_OPER (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT)")
        database.executemany("INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES (?, ?, ?)",
                             [(1, "CUDA_MEMCPY_KIND_HTOD", "Host-to-Device"), (2, "CUDA_MEMCPY_KIND_DTOH", "Device-to-Host"),
                              (8, "CUDA_MEMCPY_KIND_DTOD", "Device-to-Device"), (9, "CUDA_MEMCPY_KIND_HTOH", "Host-to-Host"),
                              (11, "CUDA_MEMCPY_KIND_UVM_HTOD", "Unified Host-to-Device"), (12, "CUDA_MEMCPY_KIND_UNKNOWN", "Other")])
    if gpus:  # the machine's; and which of them CUDA calls by which number
        database.execute("CREATE TABLE TARGET_INFO_GPU (id INTEGER NOT NULL, name TEXT, smCount INTEGER, computeMajor INTEGER, computeMinor INTEGER)")
        database.executemany("INSERT INTO TARGET_INFO_GPU VALUES (?, ?, ?, ?, ?)", [tuple(gpu) + (16, 8, 7)[len(gpu) - 2:] for gpu in gpus])
    if devices:
        database.execute("CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid INTEGER)")
        database.executemany("INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (?, ?, 4711)", devices)
    if calls:  # schemas of 2025, where copies have correlations, too
        COPIES = COPY + ", correlationId INTEGER, greenContextId INTEGER, graphNodeId INTEGER"
    for table, kinds, rows in (("KERNEL", columns, kernels), ("MEMCPY", COPIES if calls else COPY, copies), ("MEMSET", MEMSET, memsets),
                               ("RUNTIME", CALL, calls), ("GRAPH_TRACE", GRAPH, graphs)):
        if rows:
            database.execute("CREATE TABLE CUPTI_ACTIVITY_KIND_%s (%s)" % (table, kinds))
        for row in rows:
            insert(database, "CUPTI_ACTIVITY_KIND_" + table, row)
    database.commit()
    database.close()


def copy(start, end, kind, **more):
    return dict(dict(start=start, end=end, deviceId=0, contextId=1, streamId=13, globalPid=281474976710656, bytes=4096, copyKind=kind,
                     srcKind=2, dstKind=3), **more)


def call(start, end, correlation, name, **more):
    return dict(dict(start=start, end=end, eventClass=0, globalTid=281474976710656 + 5, correlationId=correlation, nameId=name, returnValue=0), **more)


def recorded():
    """Three jobs: a copy, the launch of a graph with two kernels, a wait, a kernel, a synchronous copy; and what launches nothing: captured
    and failed launches. Rows are in no order, as nsys 2025 has them."""
    kernels, copies, calls = [], [], [call(100, 200, 1, 25), call(210, 250, 2, 20), call(300, 400, 3, 26), call(500, 600, 4, 20, returnValue=98)]
    for i in range(3):
        t, c = 4000000 * i + 10000, 100 * i + 10
        calls += [call(t, t + 3000, c, 22), call(t + 3000, t + 9000, c + 1, 21), call(t + 9500, t + 80000, c + 2, 23)]
        copies += [copy(t + 4000, t + 5500 + i, 1, correlationId=c)]
        kernels += [kernel(t + 10000, t + 50000 + 10 * i, 1, 64, 128, graphNodeId=4294967299, correlationId=c + 1),
                    kernel(t + 51000, t + 70000, 4, 64, 128, graphNodeId=4294967300, correlationId=c + 1)]
        calls += [call(t + 100000, t + 104000, c + 3, 20), call(t + 100500, t + 103500, c + 3, 28), call(t + 104500, t + 140000, c + 4, 24)]
        kernels += [kernel(t + 106000, t + 130000 - i, 4, 8, 64, correlationId=c + 3, clusterX=1, clusterY=1, clusterZ=1)]
        copies += [copy(t + 131000, t + 139000, 2, correlationId=c + 4)]
    return kernels[::-1], copies[::-1], calls[::-1]


def good(path):
    other = 281474993487872
    jobs = [kernel(1000000 * i + 2000, 1000000 * i + 42000 + 100 * i, 1, 64, 128) for i in range(3)]
    jobs += [kernel(1000000 * i + 60000, 1000000 * i + 99000 - i, 4, 64, 128, registersPerThread=12) for i in range(3)]
    jobs += [kernel(500, 7500, 4, 8, 128, globalPid=other, streamId=7, dynamicSharedMemory=2048)]
    copies = [copy(1000000 * i + 100, 1000000 * i + 900, 1) for i in range(3)] + [copy(1000000 * i + 99500, 1000000 * i + 99900, 2) for i in range(3)]
    copies += [copy(10, 20, 9), copy(20, 90, 8, globalPid=other, streamId=7), copy(100, 190, 1, globalPid=other, streamId=7, srcKind=1)]
    memsets = [dict(start=1000000 * i + 50000, end=1000000 * i + 51000, deviceId=0, contextId=1, streamId=13, globalPid=281474976710656,
                    value=0, bytes=1024) for i in range(3)]
    create(path, jobs, copies=copies, memsets=memsets, gpus=[(0, "Demo GPU")])


def without(row, *keys):
    return {key: value for key, value in row.items() if key not in keys}


def old_kernel(*words, **more):
    return without(kernel(*words, **more), "globalPid", "mangledName", "launchType", "sharedMemoryExecuted")


def write_all(folder):
    def at(name):
        return os.path.join(folder, name + ".sqlite")

    one = [kernel(10, 30, 1, 8, 128)]
    good(at("trace"))
    create(at("old"), [old_kernel(10, 30, 1, 8, 128), old_kernel(50, 75, 1, 8, 128)], OLD, labels=False,
           copies=[copy(31, 40, 2, dstKind=1), copy(0, 8, 3), copy(41, 47, 10)])
    create(at("cluster"), [kernel(10, 30, 1, 8, 128, clusterX=2, clusterY=1, clusterZ=1)])
    create(at("managed"), one, copies=[copy(1, 5, 1, dstKind=5)])
    create(at("graph"), [kernel(10, 30, 1, 8, 128, graphNodeId=4294967299), kernel(40, 50, 1, 8, 128, graphNodeId=4294967300)])
    create(at("cooperative"), [kernel(10, 30, 1, 8, 128, launchType=1)])
    create(at("green"), [kernel(10, 30, 1, 8, 128, greenContextId=3)])
    create(at("devices"), one + [kernel(40, 60, 1, 8, 128, deviceId=1)], gpus=[(0, "Second GPU"), (1, "First GPU")], devices=[(1, 0), (0, 1)])
    kernels, copies, calls = recorded()
    create(at("recorded"), kernels, copies=copies, calls=calls)
    nodes = [kernel(4000000 * i + 83000, 4000000 * i + 87000 + i, 4, 64, 128, graphNodeId=4294967302, correlationId=100 * i + 11) for i in range(3)]
    inside = [copy(4000000 * i + 81000, 4000000 * i + 82500, 2, graphNodeId=4294967301, correlationId=100 * i + 11) for i in range(3)]
    create(at("parted"), kernels + nodes, copies=copies + inside, calls=calls)
    create(at("lost"), kernels[1:], copies=copies, calls=calls)
    create(at("orphan"), kernels, copies=copies, calls=[row for row in calls if row["correlationId"] != 110])
    create(at("host-function"), kernels, copies=copies, calls=calls + [call(100, 200, 7, 27)])
    create(at("call-times"), kernels, copies=copies, calls=calls + [call(300, 200, 7, 20)])
    create(at("branched"), kernels + [kernel(4051100, 4060000, 4, 64, 128, streamId=21, correlationId=111, graphNodeId=4294967301)], copies=copies, calls=calls)
    create(at("whole-graph"), one, graphs=[dict(start=50, end=90, deviceId=0, contextId=1, streamId=13, correlationId=9, globalPid=281474976710656, graphId=3, graphExecId=4)])
    create(at("unclustered"), [without(one[0], "clusterX", "clusterY", "clusterZ")], columns=KERNEL[:KERNEL.index(", clusterX")], gpus=[(0, "Demo GPU", 132, 9, 0)])
    create(at("unknown-copy"), one, copies=[copy(1, 5, 12)])
    create(at("unknown-number"), one, copies=[copy(1, 5, 40)], labels=False)
    create(at("backwards"), [kernel(30, 10, 1, 8, 128)])
    create(at("no-times"), [kernel(0, 0, 1, 8, 128)])
    create(at("no-name"), [kernel(10, 30, 77, 8, 128)])
    create(at("no-grid"), [kernel(10, 30, 1, 0, 128)])
    create(at("text"), [kernel(10, 30, 1, "many", 128)])
    create(at("negative"), [kernel(10, 30, 1, 8, 128, dynamicSharedMemory=-1)])
    create(at("no-strings"), one, names=False)
    create(at("no-column"), [without(one[0], "registersPerThread")], columns=KERNEL.replace("registersPerThread INTEGER NOT NULL, ", ""))
    create(at("no-work"), [])
    view(at("view"))
    with open(at("trace"), "rb") as source, open(at("cut"), "wb") as file:
        file.write(source.read()[:9000])
    with open(at("noise"), "wb") as file:
        file.write(b"SQLite format 3\0" + bytes(range(256)) * 16)


def view(path):
    """A view in place of the table, with a query that does not end."""
    if os.path.exists(path):
        os.remove(path)
    database = sqlite3.connect(path)
    database.execute("CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r")
    database.commit()
    database.close()
