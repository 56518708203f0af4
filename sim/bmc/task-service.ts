import { notFound } from "./request.ts";
import type { Served } from "./served.ts";
import { type MachineTask, stateOf } from "./tasks.ts";

/** Serves the controller's tasks: each as a task, a task monitor and, for Dell, a job. */
export function serveTasks({ app, get, now, profile, paths, resources, clock }: Served): void {
  const { answered } = profile.erasure;
  const known = () =>
    now().tasks.filter(
      ({ from, erases, writes }) =>
        from <= clock.now() &&
        !(erases && answered === "nothing") &&
        !(writes && profile.update.answered === "nothing"),
    );
  const taskOf = (id: string, path: string): MachineTask => {
    const task = known().find((each) => each.id === id);
    if (task) return task;
    throw notFound(path);
  };
  const described = (task: MachineTask) => {
    const { id, payload } = task;
    return {
      ...resources().link(`${paths.tasks}/${id}`),
      "@odata.type": "#Task.v1_6_0.Task",
      Id: id,
      Name: "Task",
      TaskState: { waits: "New", runs: "Running", ended: endOf(task, "Completed", "Exception") }[
        stateOf(task)
      ],
      TaskStatus: endOf(task, "OK", "Critical"),
      PercentComplete: percent[stateOf(task)],
      Messages: saysWhy(task) ? [{ Message: task.fails }] : [],
      TaskMonitor: `${paths.monitors}/${id}`,
      ...(payload && {
        Payload: {
          HttpOperation: "POST",
          TargetUri: payload.path,
          JsonBody: JSON.stringify(payload.body),
        },
      }),
    };
  };

  get(paths.taskService, (of) => ({
    ...of.link(paths.taskService),
    "@odata.type": "#TaskService.v1_2_1.TaskService",
    Id: "TaskService",
    Name: "Task Service",
    Tasks: of.link(paths.tasks),
  }));
  get(paths.tasks, (of) =>
    of.collection(
      paths.tasks,
      "Task",
      known().map(({ id }) => `${paths.tasks}/${id}`),
    ),
  );
  app.get(`${paths.tasks}/:id`, (c) => c.json(described(taskOf(c.req.param("id"), c.req.path))));
  app.get(`${paths.monitors}/:id`, (c) => {
    const task = taskOf(c.req.param("id"), c.req.path);
    return c.json(described(task), stateOf(task) === "ended" ? 200 : 202);
  });
  if (answered !== "job" && profile.update.answered !== "job") return;
  app.get(`${paths.jobs}/:id`, (c) => {
    const task = taskOf(c.req.param("id"), c.req.path);
    const state = stateOf(task);
    return c.json({
      ...resources().link(`${paths.jobs}/${task.id}`),
      "@odata.type": "#DellJob.v1_4_0.DellJob",
      Id: task.id,
      Name: task.writes ? "Firmware Update" : "Configure: drive",
      JobType: task.writes ? "FirmwareUpdate" : "RAIDConfiguration",
      JobState: {
        waits: "Scheduled",
        runs: "Running",
        ended: endOf(task, "Completed", "Failed"),
      }[state],
      Message: {
        waits: "Task successfully scheduled.",
        runs: "Job in progress.",
        ended: task.fails ?? "Job completed successfully.",
      }[state],
      PercentComplete: percent[state],
    });
  });
}

const percent = { waits: 0, runs: 50, ended: 100 };
const saysWhy = (task: MachineTask): boolean =>
  task.fails !== undefined && stateOf(task) === "ended";
const endOf = <T>(task: MachineTask, well: T, badly: T): T => (saysWhy(task) ? badly : well);
