export type { ServerConnection } from "./connect-server";
