import { at, isRecord, list, text } from "./values.ts";

/** Why an object is not as it should be, in Slipway's own words and never shortened; empty when all is well. */
export function reasonOf(object: unknown): string {
  const stalled = text(at(object, "status.stalled.message"));
  const waits = list(at(object, "status.waiting")).map(waitText);
  const failure = at(object, "status.failure");
  const failed = isRecord(failure) ? `${text(failure.step)}: ${text(failure.message)}` : "";
  const reasons = [
    stalled && `stalled: ${stalled}`,
    ...waits.filter((wait) => !stalled.includes(wait)),
    failed,
    text(at(object, "status.message")),
  ];
  return reasons.filter((each) => each !== "").join("; ");
}

/** A wait: the system, which one of it, and what is waited for. */
function waitText(wait: unknown): string {
  if (!isRecord(wait)) return "";
  const [system, instance, message] = [wait.system, wait.instance, wait.message].map(text);
  const place = [system, instance].filter((each) => each).join(" ");
  return place && !message?.startsWith(`${place}:`) ? `${place}: ${message}` : (message ?? "");
}
