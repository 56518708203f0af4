/**
 * Run by `kill.test.ts` to be killed: starts an execution on the database given, has the task's
 * token answered while the call is still running, says so, and does nothing more.
 */
import * as z from "zod";
import { systemClock } from "../../../core/clock.ts";
import { WorkflowEngine } from "../../../local/workflow/engine.ts";
import { invokeAndWait, machine } from "./machine.ts";

const [database = "", answers = ""] = process.argv.slice(2);

const engine = new WorkflowEngine({
  database,
  clock: systemClock,
  integrations: {
    "lambda:invoke": async (args) => {
      const token = z.string().parse(args);
      if (answers === "answers") engine.sendTaskSuccess(token, '"answered by the dead"');
      process.stdout.write(`${token}\n`);
      // Nothing else runs in this process from here on.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    },
  },
});

const Arguments = "{% $states.context.Task.Token %}";
const task = { Type: "Task", Resource: invokeAndWait, Arguments, End: true };
engine.createStateMachine("mortal", machine({ T: task }));
engine.startExecution("mortal", "one");
