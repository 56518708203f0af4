import type { Operation } from "./api.ts";

/** Lines for a terminal of this width; what does not fit is cut. */
const width = 100;
const nameWidth = 24;

export function say(text = ""): void {
  const [line = ""] = text.split("\n");
  process.stdout.write(`${line.length > width ? `${line.slice(0, width - 1)}…` : line}\n`);
}

type Step = Operation["status"]["steps"][number];

/** Tells an operation as it goes on: what each step waits for, and how long it took. */
export function teller(): (operation: Operation) => void {
  const ended = new Set<string>();
  let told = "";
  let named = "";
  return ({ status }) => {
    for (const step of status.steps) {
      if (ended.has(step.name)) continue;
      if (step.state === "WAITING" || step.state === "RUNNING") {
        const wait = waitOf(step);
        if (wait === "" || wait === told) continue;
        const name = step.name === named ? "" : step.name;
        say(`   ${name ? "…" : " "}  ${name.padEnd(nameWidth)}          ${wait}`);
        told = wait;
        named = step.name;
      } else if (step.state === "SUCCEEDED" || step.state === "FAILED") {
        ended.add(step.name);
        const mark = step.state === "SUCCEEDED" ? "✔" : "✘";
        const note = step.name === "ReserveCapacity" ? status.placement?.reason : step.message;
        const took = between(step.start_time, step.end_time).padStart(8);
        say(`   ${mark}  ${step.name.padEnd(nameWidth)}${took}  ${note ?? ""}`.trimEnd());
      }
    }
  };
}

/** What is waited for, without the names of conditions and machines that lead there. */
function waitOf({ message = "" }: Step): string {
  const [, set, total, upgraded] =
    /^node set (\S+) to arrive.* Total Nodes: (\d+)\. Upgraded: (\d+)$/.exec(message) ?? [];
  if (set !== undefined) return `${set}: ${upgraded} of ${total} nodes upgraded`;
  const [, way] = /^the control plane to arrive at \S+: (Working towards \S+):/.exec(message) ?? [];
  if (way !== undefined) return way;
  const [, sets] = /^nodes: ([^(]*)/.exec(message) ?? [];
  if (sets === undefined) {
    const [first = ""] = message.replace(/^the control plane: /, "").split("; ");
    return first.replace(/^(\w+: ){1,2}/, "");
  }
  const [, hosts] = /\(hosts are (.*)\)/.exec(message) ?? [];
  return `${sets.trim()} nodes${hosts ? `; hosts are ${hosts}` : ""}`;
}

/** Simulated time, such as `6m 02s`; empty when one is not known. */
function between(from: string | undefined, to: string | undefined): string {
  if (!from || !to) return "";
  const seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1000);
  const rest = String(seconds % 60).padStart(2, "0");
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${rest}s`;
}
