import { describe, expect, it } from "vitest";
import type { AuditEntry } from "../../audit/audit-record";
import type { AuditRepository } from "../../audit/audit-repository";
import type { LlmSettingsRepository, StoredLlmSettings } from "../../settings/settings-repository";

const toSettings = (model: string): StoredLlmSettings => ({
	id: 1,
	provider: "openai-compatible",
	base_url: "https://models.example/v1",
	model,
	api_key: null,
	created_at: 1,
	updated_at: 2,
	updated_by: "cl_1",
});
const audit: AuditEntry = { actor: "cl_1", action: "llm_settings.set", target: "llm_settings" };

/** Contract that each store of model settings keeps. @param open - an empty one, with the audit log of the same workspace. */
export function describeSettingsRepository(
	open: () => { readonly settings: LlmSettingsRepository; readonly audit: AuditRepository },
): void {
	function openCounted() {
		const store = open();
		const countAudits = async () => (await store.audit.list({ limit: 99, after: undefined })).length;
		return { ...store, countAudits };
	}
	describe("a repository of model settings", () => {
		it("has none, then those that were stored last, and a record of each change", async () => {
			const { settings: repository, countAudits } = openCounted();
			expect(await repository.find()).toBeUndefined();
			await repository.replace((stored) => ({ settings: toSettings(String(stored?.model)), audit }));
			const changed = await repository.replace((stored) => ({
				settings: toSettings(`after ${stored?.model}`),
				audit,
			}));
			expect(changed.model).toBe("after undefined");
			expect(await repository.find()).toEqual(changed);
			expect(await countAudits()).toBe(2);
		});

		it("changes and records nothing where the change is refused", async () => {
			const { settings: repository, countAudits } = openCounted();
			const refused = repository.replace(() => {
				throw new Error("No.");
			});
			await expect(refused).rejects.toThrow("No.");
			expect([await repository.find(), await countAudits()]).toEqual([undefined, 0]);
		});

		it("deletes them once, and records only what has changed something", async () => {
			const { settings: repository, countAudits } = openCounted();
			expect(await repository.delete(audit)).toBe(false);
			await repository.replace(() => ({ settings: toSettings("m"), audit }));
			expect([await repository.delete(audit), await repository.delete(audit)]).toEqual([true, false]);
			expect([await repository.find(), await countAudits()]).toEqual([undefined, 2]);
		});
	});
}
