import { expect, it } from "vitest";
import { asClusterId } from "../../../../core/id.ts";
import { certificateAuthority } from "../../../../core/ports/certificates/authority.ts";
import { expiresAt, isFor, isToRenew } from "../../../../core/ports/certificates/chain.ts";
import { VirtualClock } from "../../../support/virtual-clock.ts";
import { days, newAuthority, now } from "./authorities.ts";

const authority = await newAuthority({ to: now + days(100) });
const { chain } = await certificateAuthority({
  authority: () => Promise.resolve(authority),
  clock: new VirtualClock(now),
}).issue({
  domain: "demo.example.com",
  cluster: asClusterId("0197b2d0-1111-7000-8000-000000000001"),
});

it("a chain tells when its own certificate ends", () => {
  expect(expiresAt(chain)).toBe(now + days(100));
});

it("a chain is to be renewed from 30 days before its end", () => {
  expect(isToRenew(chain, now + days(70) - 1)).toBe(false);
  expect(isToRenew(chain, now + days(70))).toBe(true);
  expect(isToRenew(chain, now + days(101))).toBe(true);
});

it("a chain is for the domain that it was made for, and for no other", () => {
  expect(isFor(chain, "demo.example.com")).toBe(true);
  expect(isFor(chain, "other.example.com")).toBe(false);
  expect(isFor(chain, "example.com")).toBe(false);
  expect(isFor(chain, "DEMO.example.com")).toBe(false);
});
