/**
 * The service that a Task state calls, from a `Resource` such as
 * `arn:aws:states:::lambda:invoke.waitForTaskToken`.
 */
export interface Resource {
  /** The engine's name of the integration, such as `lambda:invoke`. */
  integration: string;
  /** The two names in history events: `lambda` and `invoke.waitForTaskToken`. */
  type: string;
  action: string;
  /** Whether the task ends only when its token is answered. */
  waitsForToken: boolean;
}

const pattern =
  /^arn:[a-z-]+:states:::(?<type>[\w-]+(:[\w-]+)?):(?<call>\w+)(?<wait>\.waitForTaskToken)?$/;

/** Parses a resource; undefined when the text is not the ARN of a service integration. */
export function parseResource(resource: string): Resource | undefined {
  const groups = pattern.exec(resource)?.groups;
  if (groups === undefined) return undefined;
  const { type = "", call = "", wait = "" } = groups;
  return {
    integration: `${type}:${call}`,
    type,
    action: call + wait,
    waitsForToken: wait !== "",
  };
}
