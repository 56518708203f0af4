import { at, isRecord, list, text } from "./values.ts";

/** Why an object is not in its desired state, in Slipway's own words and never shortened; empty if it is. */
export function reasonOf(object: unknown): string {
  const stalled = at(object, "status.stalled");
  const waits = list(at(object, "status.waiting")).filter(isRecord);
  const late = isRecord(stalled) ? stalled : {};
  // A step that waits too long appears only once, with everything known about its wait.
  const isLate = ({ step }: Record<string, unknown>) => step === late.step;
  const [told = late] = waits.filter(isLate);
  const failure = at(object, "status.failure");
  const failed = isRecord(failure) ? failureText(failure) : "";
  const reasons = [
    text(late.message) && `stalled: ${waitText(told)}`,
    ...waits.filter((wait) => !isLate(wait)).map(waitText),
    failed,
    ...(text(at(object, "status.message"))
      ? [text(at(object, "status.message"))]
      : troubles(object)),
  ];
  return reasons.filter((each) => each !== "").join("; ");
}

/** Conditions that exist only when something is wrong, each with the status that means so. */
const ofTrouble: Readonly<Record<string, string>> = {
  IN_SERVICE: "FALSE",
  DPUS_REPORT: "FALSE",
  REPORTS: "FALSE",
  FAILING: "TRUE",
  AUTHORITY_VALID: "FALSE",
  CREDENTIALS_VALID: "FALSE",
};

/** The conditions that explain a problem, for an object whose state does not show it. */
function troubles(object: unknown): string[] {
  return list(at(object, "status.conditions")).flatMap((condition) => {
    if (!isRecord(condition)) return [];
    const { type, status, message } = condition;
    const [, name = ""] = /_TYPE_(\w+)$/.exec(text(type)) ?? [];
    return text(status) === `CONDITION_STATUS_${ofTrouble[name]}` ? [text(message)] : [];
  });
}

/** A failure: the step, the message, and the refused call. */
function failureText({ step, message, call }: Record<string, unknown>): string {
  const words = `${text(step)}: ${text(message)}`;
  return text(call) ? `${words} (${text(call)})` : words;
}

/** A wait: the system, its instance, what is awaited, and the call without an answer. */
function waitText(wait: Record<string, unknown>): string {
  const [system, instance, message = "", call] = [
    wait.system,
    wait.instance,
    wait.message,
    wait.call,
  ].map(text);
  const place = [system, instance].filter((each) => each).join(" ");
  const words = place && !message.startsWith(`${place}:`) ? `${place}: ${message}` : message;
  const tries = typeof wait.attempts === "number" ? attempted(wait.attempts) : "";
  const more = [call, tries].filter((each) => each).join(", ");
  return more ? `${words} (${more})` : words;
}

const attempted = (count: number): string => `${count} ${count === 1 ? "attempt" : "attempts"}`;
