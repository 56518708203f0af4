import { useEffect, useRef } from "react";
import { Link, Outlet, useLocation } from "react-router";
import { Live } from "../live/live.tsx";
import { signOut, useSignedIn } from "../session/session.ts";
import { Freshness } from "./freshness.tsx";
import { Keys } from "./keys.tsx";
import styles from "./shell.module.css";

/** The frame of every page: navigation, the signed-in person, and the age of the shown data. */

export interface Place {
  to: string;
  name: string;
  /** The second key after `g` that opens it. */
  key: string;
  /** The kinds, by their names in paths, whose objects' pages belong to this place. */
  plurals?: readonly string[];
}

/** Whether a page belongs to a place. */
function isAt({ to, plurals = [] }: Place, places: readonly Place[], pathname: string): boolean {
  const plural = /^\/orders\/(\w+)/.exec(pathname)?.[1];
  const own = places.find((place) => plural && place.plurals?.includes(plural));
  if (own) return own.to === to && plurals.length > 0;
  return to === "/" ? pathname === "/" : pathname === to || pathname.startsWith(`${to}/`);
}

const ofStaff: readonly Place[] = [
  { to: "/", name: "Now", key: "n" },
  { to: "/orders", name: "Orders", key: "o" },
  { to: "/hubs", name: "Hubs", key: "h" },
  { to: "/hosts", name: "Hosts", key: "s", plurals: ["hosts", "dpus"] },
  { to: "/sites", name: "Sites", key: "i" },
  { to: "/tenants", name: "Tenants", key: "t" },
  { to: "/catalog", name: "Catalog", key: "c" },
  { to: "/audit", name: "Audit", key: "a" },
];

const ofNetworks = [
  ...["virtual_networks", "subnets", "security_groups"],
  ...["nat_gateways", "external_ip_attachments"],
];

const ofTenants: readonly Place[] = [
  { to: "/orders", name: "Clusters", key: "o" },
  { to: "/new", name: "New cluster", key: "c" },
  { to: "/servers", name: "Servers", key: "s", plurals: ["baremetal_instances"] },
  { to: "/networks", name: "Networks", key: "n", plurals: ofNetworks },
  { to: "/catalog", name: "Catalog", key: "i" },
  { to: "/webhooks", name: "Webhooks", key: "w" },
];

export function Shell() {
  const session = useSignedIn();
  const { isStaff, user, tenant } = session;
  const places = isStaff ? ofStaff : ofTenants;
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // A screen reader continues at the new page instead of the old link.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each new path
  useEffect(() => {
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        Skip to the page
      </a>
      <nav className={styles.nav} aria-label="Places">
        <p className={styles.name}>Slipway</p>
        <ul>
          {places.map((place) => (
            <li key={place.to}>
              <Link to={place.to} aria-current={isAt(place, places, pathname) ? "page" : undefined}>
                {place.name}
              </Link>
            </li>
          ))}
        </ul>
        <div className={styles.foot}>
          <Freshness />
          <p className="quiet">
            {user}
            {tenant !== "" && ` · ${tenant}`}
          </p>
          <button type="button" onClick={signOut}>
            Sign out
          </button>
        </div>
      </nav>
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        <Outlet />
      </main>
      <Keys places={places} />
      <Live />
    </div>
  );
}
