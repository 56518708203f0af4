import { expect, it } from "vitest";
import { bootKernel, chainTo } from "../../../core/machine/ipxe.ts";
import { led } from "../../../sim/net-boot/ipxe.ts";

const from = "http://boot.sim/scripts/first.ipxe";
const run = (...lines: string[]) => led(["#!ipxe", ...lines, ""].join("\n"), from);

it("boots the kernel of our own script", () => {
  const script = bootKernel({
    kernel: "http://files.sim/vmlinuz",
    initrd: "http://files.sim/initrd",
    args: ["image=http://files.sim/a.raw", "ds=nocloud;s=http://boot.sim/seed/"],
  });
  expect(led(script, from)).toEqual({
    to: "kernel",
    kernel: "http://files.sim/vmlinuz",
    initrds: ["http://files.sim/initrd"],
    args: ["initrd=initrd", "image=http://files.sim/a.raw", "ds=nocloud;s=http://boot.sim/seed/"],
  });
});

it("goes on with another script, also by a relative URL", () => {
  expect(led(chainTo("http://other.sim/x"), from)).toEqual({
    to: "script",
    url: "http://other.sim/x",
    settings: {},
  });
  expect(led(chainTo("x", { "seed-url": "http://boot.sim/s/" }), from)).toMatchObject({
    settings: { "seed-url": "http://boot.sim/s/" },
  });
  expect(run("chain second.ipxe")).toEqual({
    to: "script",
    url: "http://boot.sim/scripts/second.ipxe",
    settings: {},
  });
});

it("expands settings, and takes arguments that come later", () => {
  const setting = ["$", "{base}"].join("");
  expect(
    run(
      `set base http://files.sim/os`,
      `kernel ${setting}/vmlinuz old`,
      "imgargs vmlinuz new",
      "boot",
    ),
  ).toMatchObject({ kernel: "http://files.sim/os/vmlinuz", args: ["new"] });
});

// As `system()` of iPXE's core/exec.c does it.
it.each([
  ["chain a # chain b", "a"],
  ["# chain a", "c"],
  ["chain a#b", "a#b"],
  ["set x y ; chain a", "a"],
  ["set x y && chain a", "a"],
  ["set x y || chain a", "c"],
  ["imgargs none || chain a", "a"],
  ["imgargs none && chain a || chain b", "b"],
  ["imgargs none ; chain a", "a"],
  ["|| chain a", "c"],
])("of the line %j and `chain c` goes on with %s", (line, next) => {
  expect(run(line, "chain c")).toMatchObject({ url: `http://boot.sim/scripts/${next}` });
});

it.each([
  [["boot"], "boot: no image is selected"],
  [["kernel vmlinuz initrd=disk", "initrd other", "boot"], "the kernel finds no initrd disk"],
  [["kernel vmlinuz"], "the script has ended, and nothing is booted"],
  [["sanboot http://files.sim/a.iso"], "sanboot: command not found"],
  [["kernel --timeout 5 vmlinuz", "boot"], "unrecognized option --timeout"],
  [["imgargs vmlinuz new"], "imgargs: no image vmlinuz"],
  [["chain -a x"], "unrecognized option -a"],
])("stops at %j", (lines, why) => {
  expect(() => run(...lines)).toThrow(why);
});

it("takes nothing else for a script", () => {
  expect(() => led("<html>", from)).toThrow("not an iPXE script: no #!ipxe");
});
