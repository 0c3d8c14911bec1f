import type { LimitedAccess, MemberAccess } from "@stemma/client";
import type { AccessRepository } from "../../../access/access-repository";
import type { Database } from "../../database";
import type { WorkspaceTables } from "../../workspace-tables";
import { recordAudit } from "../audit-repository";

/** Access of members of a workspace. */
export const createAccessRepository = ({
	readJob,
	write,
}: Pick<Database<WorkspaceTables>, "readJob" | "write">): AccessRepository => ({
	listHidden: (userId) => readJob("listHidden", { userId }),
	set: ({ kind, id, access, audit }) =>
		write.transaction().execute(async (transaction) => {
			const change = { access: toAccessColumn(access) };
			const table = kind === "agent" ? "agents" : "knowledge_bases";
			await transaction.updateTable(table).set(change).where("id", "=", id).execute();
			await recordAudit(transaction, audit);
		}),
});

const toAccessColumn = (access: MemberAccess): string | null =>
	access === "all" ? null : JSON.stringify([...new Set(access.users)]);

/** Reads the column of a knowledge base or an agent; empty where all members may use it. */
export const readAccess = (column: string | null): { readonly access?: LimitedAccess } =>
	column === null ? {} : { access: { users: JSON.parse(column) as string[] } };
