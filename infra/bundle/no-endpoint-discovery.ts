/** Stands in for asking DynamoDB for its endpoints, which is off unless turned on, and costs a cache. */
const off = () => false;

export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: off,
  configFileSelector: off,
  default: false,
};

export const resolveEndpointDiscoveryConfig = <Config>(config: Config): Config => config;
