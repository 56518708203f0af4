import { describe, expect, it } from "vitest";
import {
  compareVersions,
  minorsBetween,
} from "../../../../core/resources/cluster-version/release.ts";

describe("versions", () => {
  it("are ordered as Semantic Versioning says", () => {
    const ordered = [
      "4.9.10",
      "4.17.3-rc.1",
      "4.17.3-rc.2",
      "4.17.3-rc.10",
      "4.17.3-rc.10.1",
      "4.17.3-rc.x",
      "4.17.3",
      "4.17.10",
      "4.18.0",
      "5.0.0",
    ];
    for (const [n, version] of ordered.entries()) {
      for (const [m, other] of ordered.entries())
        expect(Math.sign(compareVersions(version, other)), `${version}, ${other}`).toBe(
          Math.sign(n - m),
        );
    }
  });

  it("are the same whatever they were built from", () => {
    expect(compareVersions("4.17.3+a", "4.17.3+b")).toBe(0);
    expect(compareVersions("4.17.3-rc.1+a-b", "4.17.3-rc.1")).toBe(0);
  });

  it("may be ones that the API took and that are none: they come before all others", () => {
    expect(compareVersions("4.17.3-rc..1", "4.9.10")).toBeLessThan(0);
    expect(compareVersions("4.017.3", "4.17.3")).toBe(0);
  });

  it("are so many minor versions apart, within one major version", () => {
    expect(minorsBetween("4.17.9", "4.18.0")).toBe(1);
    expect(minorsBetween("4.18.0", "4.17.9")).toBe(-1);
    expect(minorsBetween("4.17.3", "4.17.9-rc.1")).toBe(0);
    expect(minorsBetween("4.18.0", "5.0.0")).toBeUndefined();
  });
});
