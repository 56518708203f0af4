import { describe, expect, it } from "vitest";
import { arrowsIn, folderOf, knotsIn } from "./folders.ts";

describe("the folders of the repository", () => {
  it("do not import each other, over whatever others, types included", () => {
    expect(knotsIn(arrowsIn("."))).toEqual([]);
  });

  it("are the rooms of core, and the folders of the others", () => {
    expect(folderOf("core/kernel/saga/step.ts")).toBe("core/kernel/saga");
    expect(folderOf("core/ports/dns/powerdns/powerdns.ts")).toBe("core/ports/dns");
    expect(folderOf("core/error.ts")).toBe("core");
    expect(folderOf("sim/kubernetes/api.ts")).toBe("sim");
  });
});

describe("a knot", () => {
  const arrows = (...pairs: [string, string][]) => {
    const map = new Map<string, Map<string, number>>();
    for (const [from, to] of pairs) {
      map.set(from, (map.get(from) ?? new Map()).set(to, 1));
      if (!map.has(to)) map.set(to, new Map());
    }
    return map;
  };

  it("is none where arrows lead one way", () => {
    expect(knotsIn(arrows(["a", "b"], ["b", "c"], ["a", "c"]))).toEqual([]);
  });

  it("is found over others, once, with all that are in it and no more", () => {
    const tied = arrows(["a", "b"], ["b", "c"], ["c", "a"], ["d", "a"]);
    expect(knotsIn(tied)).toEqual([["a", "b", "c"]]);
  });
});
