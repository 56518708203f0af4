import { createBrowserRouter, type RouteObject, redirect } from "react-router";
import type { Session } from "./session/session.ts";
import { NotFound } from "./shell/not-found.tsx";
import { NotShown } from "./shell/not-shown.tsx";
import { Shell } from "./shell/shell.tsx";

/** The routes: every page has an address, and is loaded when it is first opened. */

type Page = () => Promise<{ default?: never } & Record<string, unknown>>;

/** A route that loads a module and shows this export of it. */
const lazy = (path: string, load: Page, name: string): RouteObject => ({
  path,
  lazy: async () => ({ Component: (await load())[name] as React.ComponentType }),
});

const orders: RouteObject[] = [
  lazy("orders", () => import("./orders/list.tsx"), "Orders"),
  lazy("orders/:plural/:id", () => import("./orders/order.tsx"), "Order"),
];

const ofStaff: RouteObject[] = [
  lazy("", () => import("./operator/now.tsx"), "Now"),
  lazy("hubs", () => import("./operator/hubs.tsx"), "Hubs"),
  lazy("hubs/:id/drain", () => import("./operator/drain.tsx"), "Drain"),
  lazy("hosts", () => import("./operator/hosts.tsx"), "Hosts"),
  lazy("sites", () => import("./operator/sites.tsx"), "Sites"),
  lazy("sites/:id/:pool", () => import("./operator/pool.tsx"), "Pool"),
  lazy("tenants", () => import("./operator/tenants.tsx"), "Tenants"),
  lazy("tenants/:id", () => import("./operator/tenant.tsx"), "OneTenant"),
  lazy("audit", () => import("./operator/audit.tsx"), "Audit"),
];

const ofTenants: RouteObject[] = [
  // A loader redirects before the page is shown, so the redirect cannot overwrite another
  // navigation.
  { path: "", loader: () => redirect("/orders") },
  lazy("new", () => import("./tenant/new-cluster.tsx"), "NewCluster"),
  lazy("servers", () => import("./tenant/servers.tsx"), "Servers"),
  lazy("servers/new", () => import("./tenant/new-server.tsx"), "NewServer"),
  lazy("networks", () => import("./tenant/networks.tsx"), "Networks"),
  lazy("networks/new", () => import("./tenant/new-network.tsx"), "NewNetwork"),
  lazy("networks/new-subnet", () => import("./tenant/new-subnet.tsx"), "NewSubnet"),
  lazy("networks/new-group", () => import("./tenant/new-group.tsx"), "NewGroup"),
  lazy("webhooks", () => import("./tenant/webhooks.tsx"), "Webhooks"),
  lazy("webhooks/new", () => import("./tenant/new-webhook.tsx"), "NewWebhook"),
];

/** Shown until the first page is loaded. */
const Nothing = () => null;

let known: { isStaff: boolean; router: ReturnType<typeof createBrowserRouter> } | undefined;

/** The routes of the provider, or of tenants. */
export function routerFor({ isStaff }: Session): ReturnType<typeof createBrowserRouter> {
  if (known?.isStaff === isStaff) return known.router;
  const children = [
    ...(isStaff ? ofStaff : ofTenants),
    ...orders,
    lazy("catalog", () => import("./catalog/catalog.tsx"), "Catalog"),
    { path: "*", element: <NotFound /> },
  ];
  const router = createBrowserRouter([
    {
      path: "/",
      element: <Shell />,
      HydrateFallback: Nothing,
      children: [{ errorElement: <NotShown />, children }],
    },
  ]);
  known = { isStaff, router };
  return router;
}
