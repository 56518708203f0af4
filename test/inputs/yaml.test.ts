import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readYaml } from "../../core/kernel/input/yaml.ts";
import { judgeInputs, refused } from "./table.ts";

const value = (scalar: string) => {
  const read = readYaml(`a: ${scalar}\n`);
  return read !== null && typeof read === "object" && "a" in read ? read.a : read;
};

const control = refused(/line 1: a control character is not allowed here/);

// What sigs.k8s.io/yaml 1.6.0 (kubectl) makes of each; what it reads otherwise than YAML 1.2 is 1.1.
judgeInputs(value, [
  ["0400", 256, "kubeshop/monokle#3393"],
  ["0755", 493, "kubernetes-client/csharp#500"],
  ["-010", -8, "octal"],
  ["+010", 8, "octal"],
  ["0_7", 7, "octal"],
  ["00", 0, "octal"],
  ["-0", 0, "zero"],
  ["0o400", 256, "YAML 1.2's octal"],
  ["08", 8, "no octal digits: a float"],
  ["0800", 800, "no octal digits: a float"],
  ["017.5", 17.5, "a float"],
  ["0x1F", 31, "hexadecimal"],
  ["-0x10", -16, "hexadecimal"],
  ["0b101", 5, "binary"],
  ["1_000", 1000, "underscores"],
  ["1_000.5", 1000.5, "underscores"],
  ["_1", "_1", "underscores"],
  ["+_27", 27, "an underscore behind the sign"],
  ["-_5", -5, "an underscore behind the sign"],
  ["-__0x10", -16, "an underscore behind the sign"],
  ["+_1.5", 1.5, "an underscore behind the sign"],
  ["-_.5", -0.5, "an underscore behind the sign"],
  ["0_x1F", 31, "an underscore in the prefix"],
  ["0_b101", 5, "an underscore in the prefix"],
  ["1e_3", 1000, "an underscore in the exponent"],
  ["1e+_3", 1000, "an underscore in the exponent"],
  ["+_", "+_", "no digit"],
  ["-_x", "-_x", "no digit"],
  ["._5", "._5", "text: a point first"],
  [".5_5", 0.55, "Go: an underscore between digits"],
  [".5e1_0", 5e9, "Go: an underscore between digits"],
  [".5__5", ".5__5", "text: a point first"],
  [".5_", ".5_", "text: a point first"],
  [".5_e3", ".5_e3", "text: a point first"],
  ["1:30", "1:30", "base 60 is text"],
  ["1:30:00", "1:30:00", "base 60 is text"],
  ["y", true, "InQuicker/ktmpl#22"],
  ["N", false, "1.1"],
  ["yes", true, "1.1"],
  ["No", false, "1.1"],
  ["on", true, "1.1"],
  ["OFF", false, "1.1"],
  ["true", true, "control"],
  ["tRUE", "tRUE", "no spelling of true"],
  ["!!bool yes", true, "1.1"],
  ["~", null, "control"],
  ["NULL", null, "control"],
  ["nil", "nil", "control"],
  [".5", 0.5, "float"],
  ["5.", 5, "float"],
  ["1e3", 1000, "float"],
  ["1.5e+3", 1500, "float"],
  ["1.5_5", 1.55, "float"],
  [".e1", ".e1", "no float"],
  ["1e", "1e", "no float"],
  ["1e400", "1e400", "too large for a float"],
  ["9E12345", "9E12345", "a serial number"],
  ["2026-11-28", "2026-11-28", "dates are text"],
  ["2026-11-28T10:00:00Z", "2026-11-28T10:00:00Z", "dates are text"],
  ["10.0.0.1", "10.0.0.1", "an address"],
  ["52:54:00:00:00:07", "52:54:00:00:00:07", "a MAC address"],
  ["4.18.1", "4.18.1", "a version"],
  ["=", "=", "text"],
  ["0b2", "0b2", "no number"],
  ["0x", "0x", "no number"],
  ["0b_", "0b_", "no number"],
  ['"0400"', "0400", "quoted"],
  ["'no'", "no", "quoted"],
  ["!!str 0400", "0400", "told to be text"],
  ["!!int 0400", 256, "told to be a number"],
  ["|\n  0400", "0400\n", "a block"],
  ["9007199254740992", 9007199254740992, "exact"],
  ["9007199254740993", refused(/line 1: .*put it in quotes/), "loses digits"],
  ["12345678901234567890", refused(/line 1: .*put it in quotes/), "loses digits"],
  [`1${"0".repeat(400)}`, refused(/line 1: .*put it in quotes/), "loses digits"],
  ["0x7fffffffffffffff", refused(/line 1: .*put it in quotes/), "loses digits"],
  [".inf", refused(/line 1: JSON has no number \.inf/), "not in JSON"],
  [".NaN", refused(/line 1: JSON has no number \.NaN/), "not in JSON"],
  ["!!timestamp 2026-11-28", refused(/line 1: /), "not in JSON"],
  ["!!binary aGk=", refused(/line 1: /), "not in JSON"],
  ["!secret x", refused(/line 1: /), "a tag of somebody else"],
  ["x\u0007", control, "go-yaml: control characters are not allowed"],
  ['"x\u0000"', control, "quoted, too"],
  ["x\u001b[2J", control, "what a terminal obeys"],
  ["x\u000b", control, "a vertical tab"],
  ["x\u007f", control, "DEL"],
  ["x\u0084", control, "C1"],
  ["x\u009b2J", control, "C1"],
  ["x\ufeff", "x\ufeff", "a byte order mark inside"],
  ["x\uffff", control, "no character"],
  ["x # \u0007", control, "in a comment"],
  ["a\tb", "a\tb", "a tab inside"],
  ['"\\a\\e\\0"', "\u0007\u001b\u0000", "escaped"],
  ["\u00a0x\u200b\u{1f600}", "\u00a0x\u200b\u{1f600}", "other characters"],
  [
    "x\u2028b",
    refused(/line 1: a Unicode line separator is not allowed here/),
    "ends a line in 1.1",
  ],
  [
    "x\u0085b: 1",
    refused(/line 1: a Unicode line separator is not allowed here/),
    "ends a line in 1.1",
  ],
  ["&a [*a]", refused(/line 1: an anchor cannot contain itself/), "endless"],
]);

judgeInputs(readYaml, [
  ["10: x\n", { 10: "x" }, "a key that is a number in both"],
  ["true: x\n", { true: "x" }, "a key that is true in both"],
  ["2026-11-28: x\n", { "2026-11-28": "x" }, "a key"],
  ['"on": x\n', { on: "x" }, "quoted"],
  ["on: x\n", refused(/line 1: YAML 1\.1 reads this key as true/), "GitHub's workflows"],
  ["a: 1\ny: 2\n", refused(/line 2: YAML 1\.1 reads this key as true/), "coordinates"],
  ["no: x\n", refused(/line 1: YAML 1\.1 reads this key as false/), "Norway"],
  ["0400: x\n", refused(/line 1: YAML 1\.1 reads this key as 256/), "octal"],
  ["1_0: x\n", refused(/line 1: YAML 1\.1 reads this key as 10/), "underscores"],
  ["~: x\n", refused(/line 1: a key must be text/), "null"],
  ["? [a]\n: x\n", refused(/line 1: a key must be text/), "a list"],
  ["a: 1\na: 2\n", refused(/line 2: Map keys must be unique/), "twice"],
  [
    "x: &x {a: 1, b: 2}\nz:\n  <<: *x\n  b: 3\n",
    { x: { a: 1, b: 2 }, z: { a: 1, b: 3 } },
    "merged",
  ],
  ["<<: 1\n", refused(/line 1: /), "merged from no mapping"],
  ["a: &a {b: *a}\n", refused(/line 1: an anchor cannot contain itself/), "endless"],
  ["\ufeffa: 1\n", { a: 1 }, "a byte order mark"],
  ["a: 1\r\nb: 0400\r\n", { a: 1, b: 256 }, "CRLF"],
  ["%YAML 1.2\n---\na: 0400\n", { a: 256 }, "a directive changes nothing"],
  ["%YAML 1.1\n---\na: 2026-11-28\n", { a: "2026-11-28" }, "a directive changes nothing"],
  ["a: 1\n---\nb: 2\n", refused(/line 3: expected one document/), "two documents"],
  ["", null, "empty"],
  ['{"a": "no", "b": 1e3, "c": [true, null]}', { a: "no", b: 1000, c: [true, null] }, "JSON"],
]);

it("is read and written in one place, so that no reader differs and no writer forgets YAML 1.1", () => {
  const product =
    "{agent,cli,console,core,functions,infra,local,statemachines,templates}/**/*.{ts,tsx,js}";
  const importing = globSync(product, { exclude: (path) => path.includes("node_modules") }).filter(
    (file) =>
      /(from|import\(|require\()\s*["'](yaml|js-yaml)(\/[\w/]+)?["']/.test(
        readFileSync(file, "utf8"),
      ),
  );
  expect(importing.toSorted()).toEqual([
    "core/kernel/input/yaml-scalars.ts",
    "core/kernel/input/yaml.ts",
  ]);
});
