/** Replaces the discovery of DynamoDB's endpoints, which is off by default but creates a cache. */
const off = () => false;

export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: off,
  configFileSelector: off,
  default: false,
};

export const resolveEndpointDiscoveryConfig = <Config>(config: Config): Config => config;
