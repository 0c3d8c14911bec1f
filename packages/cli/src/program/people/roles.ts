import type { Role } from "@stemma/client";

/** Roles of members, as options take them. */
export const ROLES: readonly Role[] = ["viewer", "editor", "admin"];
