import { Link, useParams } from "react-router";
import { useList, useObject } from "../api/read.ts";
import type {
  IdentityProvider,
  Project,
  Quota,
  RoleBinding,
  Tenant,
  User,
} from "../generated/answers.ts";
import { orderedKinds } from "../orders/kinds.ts";
import { quoted } from "../ui/command.ts";
import { CommandLine } from "../ui/copy.tsx";
import { Listed } from "../ui/listed.tsx";
import { Facts, Loaded, Page, Part } from "../ui/page.tsx";
import { State } from "../ui/state.tsx";
import { Ago } from "../ui/time.tsx";
import { OfQuota } from "./quota.tsx";

/** One tenant: its limits and usage, its projects, its people, and its issuers. */
export function OneTenant() {
  const { id = "" } = useParams();
  const tenant = useObject<Tenant>("tenants", id);
  const name = tenant.data?.metadata.name || id;
  return (
    <Page title={name}>
      <Loaded read={tenant} waiting="Reading the tenant …">
        {({ metadata, spec, status }) => (
          <>
            <Facts
              facts={{
                State: <State state={status.state} />,
                Domains: spec.domains?.join(", "),
                Portals: spec.service_accounts
                  ?.map(({ user, role }) => `${user} (${role})`)
                  .join(", "),
                Since: <Ago time={metadata.creation_timestamp} />,
              }}
            />
            <Orders tenant={id} />
            <Quotas tenant={id} />
            <Projects tenant={id} />
            <People tenant={id} />
            <Issuers tenant={id} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface OfTenant {
  tenant: string;
}

/** The tenant's objects of a kind. */
function useTheirs<T>(plural: string, { tenant }: OfTenant) {
  const filter = `this.metadata.tenant == ${JSON.stringify(tenant)}`;
  return useList<T>(plural, { filter, limit: 200 });
}

function Orders({ tenant }: OfTenant) {
  const theirs = orderedKinds.filter(({ isOfStaff }) => !isOfStaff);
  return (
    <Part title="What it has ordered">
      <p className="row">
        {theirs.map(({ plural, many }) => (
          <Link key={plural} to={`/orders?${new URLSearchParams({ kind: plural, tenant })}`}>
            {many}
          </Link>
        ))}
        <Link to={`/audit?${new URLSearchParams({ tenant })}`}>Who did what</Link>
      </p>
    </Part>
  );
}

function Quotas(props: OfTenant) {
  const quotas = useTheirs<Quota>("quotas", props);
  return (
    <Loaded read={quotas} waiting="Reading its quotas …">
      {({ items }) =>
        items.length === 0 ? (
          <Part title="Quota">
            <p>
              It has no quota:{" "}
              <CommandLine line={`slipway quota create --tenant ${quoted(props.tenant)}`} />
            </p>
          </Part>
        ) : (
          items.map((quota) => {
            const { project } = quota.metadata;
            const title = project ? `Quota of project ${project}` : "Quota";
            return (
              <Part key={quota.id} title={title}>
                <OfQuota label={title} quota={quota} />
              </Part>
            );
          })
        )
      }
    </Loaded>
  );
}

function Projects(props: OfTenant) {
  return (
    <Part title="Projects">
      <Listed
        label="Projects"
        read={useTheirs<Project>("projects", props)}
        empty="It has no projects."
        columns={[
          { name: "Project", cell: ({ id, metadata }) => metadata.name || id },
          { name: "What it is", cell: ({ spec }) => spec.title },
          { name: "In", cell: ({ spec }) => spec.parent?.name },
        ]}
      />
    </Part>
  );
}

/** The people with role bindings by name, and their roles. Groups at the issuer may give them more. */
function People(props: OfTenant) {
  const bindings = useTheirs<RoleBinding>("role_bindings", props).data?.items ?? [];
  /** Bindings use the user names of tokens. */
  const rolesOf = (username: string) =>
    bindings
      .filter(({ spec }) => spec.users.some(({ name }) => name === username))
      .map(({ metadata, spec }) => [roleIn(spec), metadata.project].filter(Boolean).join(" in "))
      .join(", ");
  const groups = bindings.flatMap(({ spec }) =>
    (spec.groups ?? []).map((group) => `${group}: ${roleIn(spec)}`),
  );
  return (
    <Part title="People">
      <Listed
        label="People"
        read={useTheirs<User>("users", props)}
        empty="No users are listed. Roles come from the identity provider."
        columns={[
          { name: "Person", cell: ({ spec }) => spec.username },
          { name: "Mail", cell: ({ spec }) => spec.email },
          { name: "Roles", cell: ({ spec }) => rolesOf(spec.username) },
          {
            name: "Locked out",
            cell: ({ spec }) => !spec.enabled && <State state="locked out" tone="ended" />,
          },
        ]}
      />
      {groups.length > 0 && <p>Groups of its issuer with a role: {groups.join(", ")}</p>}
    </Part>
  );
}

const roleIn = ({ role }: RoleBinding["spec"]): string => role.name ?? role.id ?? "";

function Issuers(props: OfTenant) {
  return (
    <Part title="Identity providers">
      <Listed
        label="Identity providers"
        read={useTheirs<IdentityProvider>("identity_providers", props)}
        empty="It has none of its own: the deployment's issuer signs its people in."
        columns={[
          { name: "Name", cell: ({ id, metadata, spec }) => spec.title || metadata.name || id },
          { name: "Issuer", cell: ({ spec }) => spec.oidc?.issuer },
          {
            name: "In use",
            cell: ({ spec }) => (spec.enabled ? "yes" : <State state="off" tone="ended" />),
          },
        ]}
      />
    </Part>
  );
}
