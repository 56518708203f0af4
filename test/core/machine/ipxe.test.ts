import { expect, it } from "vitest";
import { bootKernel, chainTo } from "../../../core/machine/ipxe.ts";

/** What iPXE expands. */
const expanded = ["$", "{net0/mac}"].join("");

it("boots a kernel with its arguments, each of which stays one word", () => {
  const script = bootKernel({
    kernel: "http://10.0.0.3/vmlinuz",
    initrd: "http://10.0.0.3/initrd",
    args: ["quiet", `image=http://images/a b${expanded}.raw?a=1&b=2`],
  });
  expect(script).toBe(
    [
      "#!ipxe",
      "kernel http://10.0.0.3/vmlinuz initrd=initrd quiet image=http://images/a%20b%24{net0/mac}.raw?a=1&b=2",
      "initrd --name initrd http://10.0.0.3/initrd",
      "boot",
      "",
    ].join("\n"),
  );
});

it.each(["http://images/x\nshell", "http://images/x || shell", `http://images/${expanded}`])(
  "the URL %j of a tenant adds no command and expands nothing",
  (url) => {
    const [, chain = "", ...rest] = chainTo(url).trimEnd().split("\n");
    expect(rest).toEqual([]);
    expect(chain.split(" ")).toHaveLength(3);
    expect(chain).not.toContain("$");
  },
);
