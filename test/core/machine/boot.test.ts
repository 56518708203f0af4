import { expect, it } from "vitest";
import { timestamp } from "../../../core/clock.ts";
import { hasPhoned } from "../../../core/machine/boot.ts";

/** Whether a machine's system has reported since its last start. */

const at = (second: number) => timestamp(second * 1000);
const phoned = (second: number) => ({ phoned: { at: at(second) } });
const started = (more: object = {}) => ({ boot: { since: at(10), ...more } });
const isSilent = true;

it.each<[string, object, boolean]>([
  ["before a start", phoned(20), false],
  ["before a start, of a silent one", { isSilent, boot: { asked: at(5) } }, false],
  ["without a report", started(), false],
  ["with one of an earlier start", { ...started(), ...phoned(9) }, false],
  ["with one at the start", { ...started(), ...phoned(10) }, true],
  ["with a later one", { ...started(), ...phoned(11) }, true],
  ["a silent one that has asked for its script", { ...started({ asked: at(11) }), isSilent }, true],
  ["a silent one that has not", { ...started(), ...phoned(11), isSilent }, false],
  ["a silent one from disk", { ...started({ from: "disk", phase: "booting" }), isSilent }, true],
  [
    "a silent one from disk that is off",
    { ...started({ from: "disk", phase: "off", asked: at(11) }), isSilent },
    false,
  ],
])("whether a machine has reported: %s", (_, machine, has) => {
  expect(hasPhoned(machine as never)).toBe(has);
});
