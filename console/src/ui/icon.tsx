/** The console's icons, one for each place and action: lines on a grid of 16. They repeat a text, or stand in a button with a label. */

const paths = {
  now: "M8 1.5v4M8 10.5v4M1.5 8h4M10.5 8h4",
  orders: "M2.5 4h11M2.5 8h11M2.5 12h7",
  hubs: "M8 1.5 13.5 4.75v6.5L8 14.5l-5.5-3.25v-6.5zM2.5 4.75 8 8l5.5-3.25M8 8v6.5",
  hosts: "M2 2.5h12v4.5H2zM2 9h12v4.5H2zM4.5 4.75h.01M4.5 11.25h.01",
  sites:
    "M8 14.5s5-4.2 5-8.2a5 5 0 0 0-10 0c0 4 5 8.2 5 8.2zM8 8a1.7 1.7 0 1 0 0-3.4A1.7 1.7 0 0 0 8 8z",
  tenants:
    "M6 7.2a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2zM1.5 13.5c.2-5 8.8-5 9 0M10.5 2.3a2.6 2.6 0 0 1 0 4.7M12.2 9.6c1.4.6 2.2 1.9 2.3 3.9",
  catalog: "M2.5 2.5h4.5v4.5h-4.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5h-4.5zM9 9h4.5v4.5H9z",
  audit: "M3.5 1.5h9v13h-9zM6 5h4M6 8h4M6 11h2",
  clusters:
    "M8 2 10.6 3.5v3L8 8 5.4 6.5v-3zM4.6 8l2.6 1.5v3L4.6 14 2 12.5v-3zM11.4 8l2.6 1.5v3L11.4 14l-2.6-1.5v-3z",
  add: "M8 3v10M3 8h10",
  networks: "M5.5 1.5h5v4h-5zM1.5 10.5h5v4h-5zM9.5 10.5h5v4h-5zM8 5.5V8M4 10.5V8h8v2.5",
  webhooks: "M1.5 8h9M7.5 4.5 11 8l-3.5 3.5M11 2.5h3.5v11H11",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3 14 14",
  menu: "M2 4h12M2 8h12M2 12h12",
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name }: { name: IconName }) => (
  <svg
    width="16"
    height="16"
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={paths[name]} />
  </svg>
);

/** Slipway's mark: a hull on its way down the slip. */
export const Mark = () => (
  <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
    <path d="M2 20.5 22 13.5v7z" fill="currentColor" opacity="0.35" />
    <path
      d="m3.2 9.9 17-5.95c.7 4.6-2.4 8.25-6.7 9.75l-6.6 2.3C4.8 16.7 3.3 13.3 3.2 9.9z"
      fill="currentColor"
    />
  </svg>
);
