/** The instance type of the servers that tests have, with these network ports. */
export const bigType = (...network_ports: { name: string; role?: string }[]) => ({
  metadata: { name: "big" },
  spec: {
    description: "A big one",
    hardware: {
      cpu: { cores: 32, threads_per_core: 2 },
      memory: { total_gb: 512 },
      network_ports,
    },
  },
});
