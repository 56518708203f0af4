import { planOf } from "./plan.ts";
import { passingErrors } from "./platform-errors.ts";
import {
  type ActionShape,
  backwards,
  fromTheTop,
  isParallel,
  longestPause,
  type Node,
  type Parallel,
  recordFailureState,
  type Shape,
  type Step,
  stepsOf,
  stuckState,
  taskLimit,
  undoName,
  type Zone,
  zoneOfAction,
  zones,
} from "./saga.ts";

/**
 * Saga → Amazon States Language (JSONata). Pure: the output is committed and deployed unchanged. Every step is one task
 * that waits for its token, and so is every phase. After a failed step, the execution runs the step's own undo (or the
 * nearest one before it) and all undos of earlier steps, down to `Failed`. A retry may have to undo steps that it has
 * not reached: then the first undo leads to the top of the chain. An undo that fails for good waits in `Stuck`. The
 * execution's input is the operation's id and nothing else. Its first task passes the plan of the definition to the
 * worker (`plan.ts`).
 */

export type State = Record<string, unknown> & { Type: string };
export interface AslDefinition {
  Comment: string;
  QueryLanguage: "JSONata";
  StartAt: string;
  States: Record<string, State>;
}

/** The placeholder of a zone's worker function: `${CoreWorker}`. */
const workerToken = (zone: Zone): string =>
  `$\{${zone.charAt(0).toUpperCase()}${zone.slice(1)}Worker}`;

/** Errors after which a task is tried again: failures of the platform, and temporary errors of Slipway. */
const passing = ["Unavailable", ...passingErrors];

/** The time between a step's own deadline and the state's timeout, which is only a safety net. */
const slack = 600;

const failure =
  "{% {'step': $states.context.State.Name, 'error': $states.errorOutput.Error, " +
  "'cause': $substring($string($states.errorOutput.Cause), 0, 4000)} %}";

const keepInput = "{% $states.input %}";

/**
 * The first attempts are two seconds apart, later ones five minutes: ten take two minutes, some six hundred
 * take a day. Each attempt adds four events to a history that ends at 25,000, and a transition that is charged,
 * so attempts during an outage must not be more frequent.
 */
const retry = (attempts: number) => ({
  ErrorEquals: passing,
  IntervalSeconds: 2,
  BackoffRate: 1.5,
  MaxDelaySeconds: longestPause / 1000,
  MaxAttempts: attempts,
  JitterStrategy: "FULL",
});

/** The number of tries that takes this long. Full jitter halves the mean pause, and chance can shorten the total. */
const attemptsWithin = (seconds: number): number =>
  Math.ceil((2000 * seconds) / longestPause) + 120;

/** The task of these actions, for a worker in the zone of the first; `told` is added to the worker's input. */
function task(
  name: string,
  actions: ActionShape[],
  more: Record<string, unknown>,
  told: Record<string, unknown> = {},
): State {
  const seconds = Math.ceil(taskLimit(actions) / 1000);
  const [zone = "core"] = actions.map(zoneOfAction);
  return {
    Type: "Task",
    Resource: "arn:aws:states:::lambda:invoke.waitForTaskToken",
    Arguments: invoke(name, zone, told),
    TimeoutSeconds: seconds + slack,
    // The worker ends the step at its deadline, so the number of attempts need not end it.
    Retry: [retry(attemptsWithin(seconds))],
    Output: keepInput,
    ...more,
  };
}

const invoke = (step: string, zone: Zone, more: Record<string, unknown> = {}) => ({
  FunctionName: workerToken(zone),
  Payload: {
    operation: "{% $states.context.Execution.Input.operation %}",
    step,
    token: "{% $states.context.Task.Token %}",
    ...more,
  },
});

/** The state machine of a saga. */
export function toAsl(saga: Shape): AslDefinition {
  const states: Record<string, State> = {};
  const first = saga.nodes[0];
  if (!first) throw new Error(`saga ${saga.name} has no steps`);
  const chain = saga.irreversible ? [] : backwards(saga.nodes);
  const top = chain[0]?.name;

  saga.nodes.forEach((node, i) => {
    const next = saga.nodes[i + 1]?.name;
    // A separate Succeed state would be one more transition to pay for in each execution.
    const then = next === undefined ? { End: true } : { Next: next };
    if (isParallel(node)) {
      states[node.name] = { ...group(node, unwindFrom(saga, node)), ...then };
    } else {
      const actions = stepsOf([node]).map((row) => row.do);
      const Catch = [caught(saga.irreversible ? stuckState : unwindFrom(saga, node))];
      const told = i === 0 ? { plan: planOf(saga.nodes) } : {};
      states[node.name] = task(node.name, actions, { Catch, ...then }, told);
    }
  });
  chain.forEach((row, i) => {
    states[row.name] = task(row.name, [row.do], {
      Catch: [...(i > 0 && top ? [higher(top)] : []), caught(stuckState, "stuck")],
      Next: chain[i + 1]?.name ?? recordFailureState,
    });
  });

  const restart = saga.irreversible ? first.name : top;
  if (restart) states[stuckState] = stuck(restart, saga.irreversible ? "failure" : "stuck");
  if (!saga.irreversible) {
    states[recordFailureState] = {
      ...task(recordFailureState, [{ deadline: 24 * 3_600_000 }], { Next: "Failed" }),
      Arguments: invoke(recordFailureState, "core", { failure: "{% $failure %}" }),
    };
    states.Failed = failed("$failure");
  }
  return { Comment: saga.comment, QueryLanguage: "JSONata", StartAt: first.name, States: states };
}

const caught = (next: string, variable = "failure") => ({
  ErrorEquals: ["States.ALL"],
  Assign: { [variable]: failure },
  Output: keepInput,
  Next: next,
});

/** From an undo that other undos must precede, leads to the top of the chain. */
const higher = (top: string) => ({ ErrorEquals: [fromTheTop], Output: keepInput, Next: top });

/** Waits for `POST /operations/{id}/resume`; then the execution walks the chain of undos again. */
const stuck = (restart: string, variable: string): State => ({
  Type: "Task",
  Comment:
    "waits for POST /operations/{id}/resume, then walks the chain again; undos that are done answer at once",
  Resource: "arn:aws:states:::lambda:invoke.waitForTaskToken",
  Arguments: invoke(stuckState, "core", { failure: `{% $${variable} %}` }),
  Retry: [retry(1000)],
  Output: keepInput,
  Next: restart,
});

/** Where the execution goes when this node fails: the node's own last undo, or the nearest one before it. */
function unwindFrom(saga: Shape, node: Node<ActionShape>): string {
  const upTo = saga.nodes.slice(0, saga.nodes.indexOf(node) + 1);
  const row = stepsOf(upTo).findLast((candidate) => candidate.undo);
  return row ? undoName(row.name) : recordFailureState;
}

/**
 * The first branch that fails ends the group, and the saga turns back. Step Functions then stops the other branches:
 * their tasks no longer wait, and the operation's fence stops what their workers still do. So no state has to read how
 * the branches ended, which would be a transition in each execution.
 */
const group = (node: Parallel<ActionShape>, unwind: string): State => ({
  Type: "Parallel",
  Branches: node.branches.map((branch) => branchOf(branch)),
  Catch: [{ ...caught(unwind), Assign: { failure: failureOfBranch } }],
  Output: keepInput,
});

function branchOf(branch: { name: string; steps: Step<ActionShape>[] }) {
  const end = `${branch.name} failed`;
  const states: Record<string, State> = {};
  branch.steps.forEach((row, i) => {
    const following = branch.steps[i + 1];
    states[row.name] = task(row.name, [row.do], {
      Catch: [{ ErrorEquals: ["States.ALL"], Output: failure, Next: end }],
      ...(following ? { Next: following.name } : { End: true }),
    });
  });
  states[end] = failed("$states.input");
  return { StartAt: branch.steps[0]?.name, States: states };
}

/**
 * Ends an execution or a branch with a failure: its cause begins with the step and the error. A state may not
 * report the names that Step Functions has reserved for itself, such as `States.Timeout`.
 */
const failed = (failure: string): State => ({
  Type: "Fail",
  Error: `{% $replace(${failure}.error, /^States\\./, '') %}`,
  Cause: `{% ${failure}.step & ': ' & ${failure}.error & ': ' & ${failure}.cause %}`,
});

const afterStep = "$substringAfter($states.errorOutput.Cause, ': ')";

/** The failure with which a branch ended. */
const failureOfBranch =
  "{% {'step': $substringBefore($states.errorOutput.Cause, ': '), " +
  `'error': $substringBefore(${afterStep}, ': '), 'cause': $substringAfter(${afterStep}, ': ')} %}`;

/** The text of a state machine with the worker functions of its zones filled in. */
export function withWorkers(text: string, worker: (zone: Zone) => string): string {
  return zones.reduce((filled, zone) => filled.replaceAll(workerToken(zone), worker(zone)), text);
}
