/** What a Task state calls, from a `Resource` such as `arn:aws:states:::lambda:invoke.waitForTaskToken`. */
export interface Resource {
  /** The name under which the engine was given the integration, such as `lambda:invoke`. */
  integration: string;
  /** As history events name it: `lambda` and `invoke.waitForTaskToken`. */
  type: string;
  action: string;
  /** Whether the task goes on only when its token is answered. */
  waitsForToken: boolean;
}

const pattern =
  /^arn:[a-z-]+:states:::(?<type>[\w-]+(:[\w-]+)?):(?<call>\w+)(?<wait>\.waitForTaskToken)?$/;

/** Undefined when the text is not the ARN of a service integration that the engine could have. */
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
