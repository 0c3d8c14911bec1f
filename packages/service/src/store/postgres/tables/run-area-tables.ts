/** Tables of agents, runs, threads, responses, secrets, settings, audit and usage. */
export const runAreaSql = "";
