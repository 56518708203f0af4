import { describe, expect, it } from "vitest";
import { parseDefinition } from "../../../local/workflow/definition.ts";
import { invoke, machine } from "./machine.ts";

const integrations = new Set(["lambda:invoke"]);

function parse(definition: object) {
  return parseDefinition(JSON.stringify(definition), integrations);
}

const end = { Type: "Succeed" };
const inner = (state: object) => ({ StartAt: "I", States: { I: state } });

describe("a definition is refused, saying where, for", () => {
  it.each<[string, object, RegExp]>([
    [
      "a JSONPath machine",
      { StartAt: "S", States: { S: { Type: "Pass", End: true } } },
      /JSONPath states are not supported.*\/States\/S/,
    ],
    [
      "a JSONPath state in a JSONata machine",
      machine({ S: { Type: "Pass", QueryLanguage: "JSONPath", End: true } }),
      /JSONPath states are not supported.*\/States\/S/,
    ],
    [
      "a JSONPath field in a branch",
      machine({
        P: {
          Type: "Parallel",
          Branches: [inner({ Type: "Pass", ResultPath: "$.a", End: true })],
          End: true,
        },
      }),
      /'ResultPath' is not supported at \/States\/P\/Branches\[0\]\/States\/I/,
    ],
    ["an unknown field", machine({ S: { ...end, Colour: "red" } }), /Colour/],
    ["an unknown type", machine({ S: { Type: "Sleep", End: true } }), /\/States\/S/],
    ["a missing state", machine({ S: { Type: "Pass", Next: "T" } }), /Missing target 'T'/],
    [
      "a missing state after a Catch",
      machine({
        S: {
          Type: "Task",
          Resource: invoke,
          Catch: [{ ErrorEquals: ["E"], Next: "T" }],
          End: true,
        },
      }),
      /Missing target 'T'/,
    ],
    ["neither Next nor End", machine({ S: { Type: "Pass" } }), /Next and End/],
    [
      "an expression that does not parse",
      machine({ S: { ...end, Output: { a: "{% 1 + %}" } } }),
      /JSONata error.*\/States\/S\/Output\/a/,
    ],
    [
      "a resource without an integration",
      machine({ S: { Type: "Task", Resource: "arn:aws:states:::sqs:sendMessage", End: true } }),
      /sqs:sendMessage/,
    ],
    ["a Wait without a time", machine({ S: { Type: "Wait", End: true } }), /Seconds and Timestamp/],
    [
      "the reserved variable",
      machine({ S: { ...end, Type: "Pass", Assign: { states: 1 }, End: true } }),
      /'states' is not a name/,
    ],
    [
      "a variable of an outer scope",
      machine({
        A: { Type: "Pass", Assign: { v: 1 }, Next: "M" },
        M: {
          Type: "Map",
          ItemProcessor: inner({ Type: "Pass", Assign: { v: 2 }, End: true }),
          End: true,
        },
      }),
      /variable 'v' is already assigned in an outer scope/,
    ],
    [
      "a distributed Map",
      machine({
        M: {
          Type: "Map",
          ItemProcessor: { ProcessorConfig: { Mode: "DISTRIBUTED" }, ...inner(end) },
          End: true,
        },
      }),
      /ItemProcessor\/ProcessorConfig\/Mode/,
    ],
  ])("%s", (_, definition, message) => {
    expect(() => parse(definition)).toThrow(
      expect.objectContaining({
        name: "InvalidDefinition",
        message: expect.stringMatching(message),
      }),
    );
  });

  it("text that is not JSON", () => {
    expect(() => parseDefinition("{", integrations)).toThrow(/INVALID_JSON_DESCRIPTION/);
  });
});

it("takes JSONata states in a machine that does not say its language", () => {
  const states = { S: { ...end, QueryLanguage: "JSONata" } };
  expect(parse({ StartAt: "S", States: states }).StartAt).toBe("S");
});
