import { minutes, seconds } from "../../core/clock.ts";
import type { FirmwareComponent } from "../../core/ports/bare-metal/firmware.ts";
import { updated } from "./firmware.ts";
import { erasureTakes, type MachineDrive } from "./hardware.ts";
import type { Machine, Override } from "./machine.ts";

/** A controller's task. Times are simulated milliseconds. */
export interface MachineTask {
  id: string;
  /** When the task becomes visible at its controller, some time after its creation. */
  from: number;
  takes: number;
  /** When the task began; absent while the task is staged for the server's next start. */
  since?: number;
  /** When the task ends; absent before it has begun and after it has ended. */
  until?: number;
  /** When the controller deletes the task; absent before the task has ended. */
  gone?: number;
  /**
   * The task's effect at its end: a change of settings, the erasure of a drive, or a firmware
   * update.
   */
  boot?: Override;
  erases?: string;
  writes?: { component: FirmwareComponent; version: string };
  /** The request that created it. */
  payload?: { path: string; body: object };
  /** The message of the task's failure; absent for a task that succeeds. */
  fails?: string;
  /** The task succeeds without an effect. */
  lies?: true;
}

const times = { hidden: seconds(2), settings: seconds(10), kept: minutes(10) };

/** A task that changes `boot`, or fails. */
export function settingsTask(id: string, boot: Override, now: number, fails?: string): MachineTask {
  const task = { id, from: now + times.hidden, takes: times.settings, boot };
  return begun({ ...task, ...(fails !== undefined && { fails }) }, now);
}

/** A task that erases a drive, now or at the server's next start. */
export function erasureTask(
  id: string,
  { id: drive, fault, takes }: MachineDrive,
  {
    method,
    payload,
    begins,
  }: Pick<MachineTask, "payload"> & {
    method: keyof typeof erasureTakes;
    begins: "now" | "at_start";
  },
  now: number,
): MachineTask {
  const task: MachineTask = {
    id,
    from: now,
    takes: takes ?? erasureTakes[method],
    erases: drive,
    ...(payload && { payload }),
    ...(fault === "lies" && { lies: true }),
    ...(fault === "fails" && { fails: "The drive reports that the sanitize operation failed." }),
  };
  return begins === "now" ? begun(task, now) : task;
}

/** The task, started if it was staged. */
export const begun = (task: MachineTask, now: number): MachineTask =>
  task.since === undefined ? { ...task, since: now, until: now + task.takes } : task;

/** The state of a task: staged, running, or ended. */
export function stateOf({ since, until }: MachineTask): "waits" | "runs" | "ended" {
  if (since === undefined) return "waits";
  return until === undefined ? "ended" : "runs";
}

/** The machine at `time`, with the effects of the tasks that end, and without those that the controller has deleted. */
export function tasksEnded(before: Machine, time: number): Machine {
  const ends = ({ until }: MachineTask) => until !== undefined && until <= time;
  const ended = before.tasks.filter(ends);
  const machine = ended.reduce((each, task) => updated(each, task, time), before);
  return {
    ...machine,
    boot: ended.reduce((boot, task) => (task.fails ? boot : (task.boot ?? boot)), machine.boot),
    drives: machine.drives.map((drive) => {
      const task = ended.find(({ erases }) => erases === drive.id);
      return task ? erased(drive, task) : drive;
    }),
    tasks: machine.tasks
      .map((task) => {
        if (!ends(task)) return task;
        const { until = time, ...rest } = task;
        return { ...rest, gone: until + times.kept };
      })
      .filter(({ gone }) => gone === undefined || gone > time),
  };
}

function erased(
  { written, ailing: _, ...drive }: MachineDrive,
  { fails, lies }: MachineTask,
): MachineDrive {
  const stays = fails !== undefined || lies;
  return {
    ...drive,
    ...(stays && written !== undefined && { written }),
    ...(fails !== undefined && { ailing: true }),
  };
}

/** The task that erases a drive, if one is staged or runs. */
export const erasureOf = ({ tasks }: Machine, drive: string): MachineTask | undefined =>
  tasks.find((task) => task.erases === drive && stateOf(task) !== "ended");
