import { join } from "node:path";

// Where the lockfile and `node_modules` are.
const root = join(import.meta.dirname, "../../..");

export default { turbopack: { root }, outputFileTracingRoot: root };
