import { describe, expect, it } from "vitest";
import { principalOf } from "../../../functions/identity/principal.ts";

describe("claims", () => {
  it.each([
    [
      { sub: "s", preferred_username: "ann", tenant: "t", roles: ["tenant-user", "other"] },
      { user: "ann", tenant: "t", roles: ["tenant-user"] },
    ],
    [
      { sub: "ann", organization: ["t"], roles: "tenant-admin tenant-user" },
      { user: "ann", tenant: "t", roles: ["tenant-admin", "tenant-user"] },
    ],
    [
      { sub: "ann", organization: { t: {} }, roles: "tenant-user" },
      { user: "ann", tenant: "t", roles: ["tenant-user"] },
    ],
    [
      { sub: "ann", tenant: "t", roles: ["king"] },
      { user: "ann", tenant: "t", roles: [] },
    ],
    [
      { sub: "root", roles: ["provider-admin"] },
      { user: "root", tenant: "", roles: ["provider-admin"] },
    ],
  ])("%j name somebody", (claims, principal) => {
    expect(principalOf(claims)).toEqual(principal);
  });

  it.each([
    [{}],
    [{ sub: "ann", roles: ["tenant-user"] }],
    [{ sub: "ann", roles: ["king"] }],
    [{ sub: "a".repeat(300), tenant: "t", roles: ["tenant-user"] }],
    [{ tenant: "t", roles: ["tenant-user"] }],
    [{ sub: "ann", tenant: "shared", roles: ["tenant-admin"] }],
    [{ sub: "ann", tenant: "a#b", roles: ["tenant-admin"] }],
    [{ sub: "ann", organization: ["t".repeat(3000)], roles: ["tenant-admin"] }],
    [{ sub: "ann", roles: ["tenant-admin"] }],
    [{ sub: ["ann"], tenant: "t", roles: ["tenant-user"] }],
    [{ sub: "ann", organization: "[t u]", roles: ["tenant-user"] }],
  ])("%j name nobody", (claims) => {
    expect(principalOf(claims)).toBeUndefined();
  });
});

describe("a name in a claim", () => {
  it.each(["[ann]", "[ann,bob]", "[ann bob]", "[ann", "map[ann:1]", '["ann"]'])(
    "%s is that of a user as it stands",
    (user) => {
      const claims = { preferred_username: user, tenant: "t", roles: ["tenant-user"] };
      expect(principalOf(claims)?.user).toBe(user);
    },
  );

  it("is that of one group, whatever other groups' names are in it", () => {
    const groups = { "cloud-admins": ["tenant-admin"], guests: ["tenant-user"] } as const;
    const name = "[guests of cloud-admins]";
    const ann = { user: "ann", tenant: "t", roles: [], groups: [name] };
    for (const said of [name, [name]])
      expect(principalOf({ sub: "ann", tenant: "t", groups: said }, { groups })).toEqual(ann);
  });

  it("is that of one role in a list, and of several between the blanks of a text", () => {
    const rolesOf = (roles: unknown) => principalOf({ sub: "ann", tenant: "t", roles })?.roles;
    expect(rolesOf(["guest tenant-admin", "tenant-user"])).toEqual(["tenant-user"]);
    expect(rolesOf("guest tenant-admin")).toEqual(["tenant-admin"]);
    expect(rolesOf("[tenant-admin tenant-user]")).toEqual([]);
  });
});

it("gives roles of tenants to nobody without one", () => {
  const claims = { sub: "otto", roles: ["provider-viewer", "tenant-admin", "tenant-user"] };
  expect(principalOf(claims)?.roles).toEqual(["provider-viewer"]);
});

describe("an issuer's own claims", () => {
  it("are found by name or by path, and not in places that are nobody's", () => {
    const claims = {
      email: "ann@example.com",
      "https://example.com/org": "t",
      resource_access: { slipway: { roles: ["tenant-user"] } },
    };
    const names = {
      user: "email",
      tenant: "https://example.com/org",
      roles: "resource_access.slipway.roles",
    };
    const ann = { user: "ann@example.com", tenant: "t", roles: ["tenant-user"] };
    expect(principalOf(claims, { claims: names })).toEqual(ann);
    const odd = { ...names, user: "constructor.name" };
    expect(principalOf(claims, { claims: odd })).toBeUndefined();
  });

  it("name roles with a prefix, in a list or between blanks; what is without it is others'", () => {
    const mapping = { claims: { roles: "scope" }, rolePrefix: "slipway:" };
    const claims = { sub: "ann", tenant: "t", scope: "openid slipway:tenant-user tenant-admin" };
    expect(principalOf(claims, mapping)?.roles).toEqual(["tenant-user"]);
  });

  it("give roles to members of groups", () => {
    const mapping = {
      claims: { groups: "memberOf" },
      groups: { "cloud admins": ["tenant-admin"], ops: ["tenant-admin", "tenant-user"] } as const,
    };
    const claims = { sub: "ann", tenant: "t", memberOf: ["cloud admins", "ops", "toString", "x"] };
    expect(principalOf(claims, mapping)?.roles).toEqual(["tenant-admin", "tenant-user"]);
    expect(principalOf({ ...claims, memberOf: ["x"] }, mapping)?.roles).toEqual([]);
  });

  it("keep users of two issuers apart", () => {
    const claims = { sub: "ann", tenant: "t", roles: ["tenant-user"] };
    expect(principalOf(claims, { userPrefix: "corp:" })?.user).toBe("corp:ann");
  });

  it("of groups are kept for bindings, apart from those of other issuers", () => {
    const said = { sub: "u", tenant: "a", groups: ["devs", ""], teams: "ops" };
    expect(principalOf(said)?.groups).toEqual(["devs"]);
    const mapping = { claims: { groups: "teams" }, userPrefix: "idp:" };
    expect(principalOf(said, mapping)).toEqual({
      user: "idp:u",
      tenant: "a",
      roles: [],
      groups: ["idp:ops"],
    });
  });

  it("of more than 50 groups count for the first 50", () => {
    const groups = Array.from({ length: 60 }, (_, n) => `group-${n}`);
    expect(principalOf({ sub: "u", tenant: "a", groups })?.groups).toEqual(groups.slice(0, 50));
  });

  it("of some tenants are of those, and make nobody the provider's or a hub's", () => {
    const mapping = { tenants: ["a", "b"], groups: { staff: ["provider-admin"] } } as const;
    const claims = { sub: "hub:h", roles: ["provider-admin", "agent", "tenant-user"] };
    const said = { ...claims, groups: ["staff"] };
    expect(principalOf(said, mapping)).toBeUndefined();
    expect(principalOf({ ...said, tenant: "c" }, mapping)).toBeUndefined();
    const known = {
      ...{ user: "hub:h", tenant: "b", roles: ["tenant-user"], groups: ["staff"] },
      isRestricted: true,
    };
    expect(principalOf({ ...said, tenant: "b" }, mapping)).toEqual(known);
    expect(principalOf(said, { tenants: ["b"] })).toEqual(known);
  });
});
