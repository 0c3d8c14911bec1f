import { join } from "node:path";

/** Path of the deployment's database in a data folder. */
export const toDeploymentFile = (dataFolder: string): string => join(dataFolder, "deployment.sqlite");
