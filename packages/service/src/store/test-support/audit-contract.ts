import type { AuditAction } from "@stemma/client";
import { describe, expect, it } from "vitest";
import type { AuditEntry } from "../../audit/audit-record";
import type { AuditPageRequest, AuditRepository } from "../../audit/audit-repository";

const toEntry = (target: string, action: AuditAction = "secret.set"): AuditEntry => ({
	actor: "cl_1",
	action,
	target,
});

/** Contract that each audit log of a workspace or of the deployment keeps. @param open - an empty one. */
export function describeAuditRepository(open: () => Promise<AuditRepository>): void {
	describe("an audit log", () => {
		it("tells all of a record, with and without details and a request", async () => {
			const audit = await open();
			await audit.record({ ...toEntry("crm"), details: { scopes: ["ask"] }, requestId: "req_1" });
			await audit.record(toEntry("billing"));
			const [id, at] = [expect.stringMatching(/^aud_[0-9a-z]{26}$/), expect.stringMatching(/^20.*Z$/)];
			const common = { id, at, actor: "cl_1", action: "secret.set" };
			expect(await audit.list({ limit: 9, after: undefined })).toEqual([
				{ ...common, target: "billing", details: {}, request_id: null },
				{ ...common, target: "crm", details: { scopes: ["ask"] }, request_id: "req_1" },
			]);
		});

		it("lists the newest first, with one more than was asked for, of all actions or of one", async () => {
			const audit = await open();
			for (const target of ["1", "2", "3"]) {
				await audit.record(toEntry(target));
				await audit.record(toEntry(target, "secret.deleted"));
			}
			const list = async (page: Partial<AuditPageRequest>) => {
				const records = await audit.list({ limit: 1, after: undefined, ...page });
				return { targets: records.map(({ target }) => target), last: records.at(-1)?.id };
			};
			const action = "secret.set";
			const first = await list({ action });
			expect(first.targets).toEqual(["3", "2"]);
			expect((await list({ action, after: first.last })).targets).toEqual(["1"]);
			expect((await list({ limit: 9 })).targets).toEqual(["3", "3", "2", "2", "1", "1"]);
		});
	});
}
