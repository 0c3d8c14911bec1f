import type { MemberAccess } from "@stemma/client";
import * as z from "zod";
import { MAX_ACCESS_USERS } from "../../access/change-access";
import { userIdField } from "./people-fields";

/** Field of who may use a knowledge base or an agent: `"all"`, or `{"users": ["usr_…"]}`. */
export const accessField: z.ZodType<MemberAccess> = z.union([
	z.literal("all"),
	z.strictObject({ users: z.array(userIdField).max(MAX_ACCESS_USERS) }),
]);
