export const invoke = "arn:aws:states:::lambda:invoke";
export const invokeAndWait = `${invoke}.waitForTaskToken`;

export type States = Record<string, object>;

/** A definition that starts at the first of these states. */
export function machine(states: States): {
  QueryLanguage: string;
  StartAt: string;
  States: States;
} {
  const [StartAt = ""] = Object.keys(states);
  return { QueryLanguage: "JSONata", StartAt, States: states };
}
