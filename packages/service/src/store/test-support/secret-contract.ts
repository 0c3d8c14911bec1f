import { describe, expect, it } from "vitest";
import type { AuditEntry } from "../../audit/audit-record";
import type { AuditRepository } from "../../audit/audit-repository";
import type { SecretRepository, StoredSecret } from "../../workspace-secrets/secret-repository";

const toSecret = (name: string, value = "encrypted"): StoredSecret => ({
	name,
	server_url: "https://tools.example",
	value,
	created_at: 1,
	updated_at: 2,
	updated_by: "cl_1",
});
const audit: AuditEntry = { actor: "cl_1", action: "secret.set", target: "billing" };

/** Contract that each store of secrets keeps. @param open - an empty one, with the audit log of the same workspace. */
export function describeSecretRepository(
	open: () => { readonly secrets: SecretRepository; readonly audit: AuditRepository },
): void {
	function openCounted() {
		const store = open();
		const countAudits = async () => (await store.audit.list({ limit: 99, after: undefined })).length;
		return { ...store, countAudits };
	}
	describe("a repository of secrets", () => {
		it("gives back what was stored last, tells how many there are, and records each change", async () => {
			const { secrets: repository, countAudits } = openCounted();
			const counts: number[] = [];
			for (const name of ["b", "a", "b"])
				await repository.replace(name, (stored, count) => {
					counts.push(count);
					return { secret: toSecret(name, stored === undefined ? "first" : "second"), audit };
				});
			expect(counts).toEqual([0, 1, 2]);
			expect(await repository.find("b")).toEqual(toSecret("b", "second"));
			expect(await repository.find("c")).toBeUndefined();
			expect(await countAudits()).toBe(3);
		});

		it("lists by name, with one more than was asked for", async () => {
			const { secrets: repository } = open();
			for (const name of ["c", "a", "b"])
				await repository.replace(name, () => ({ secret: toSecret(name), audit }));
			const readNames = async (after: string | undefined) =>
				(await repository.list({ limit: 1, after })).map(({ name }) => name);
			expect([await readNames(undefined), await readNames("a")]).toEqual([
				["a", "b"],
				["b", "c"],
			]);
		});

		it("changes and records nothing where the change is refused, or there is nothing to delete", async () => {
			const { secrets: repository, countAudits } = openCounted();
			const refused = repository.replace("a", () => {
				throw new Error("No.");
			});
			await expect(refused).rejects.toThrow("No.");
			expect(await repository.delete("a", audit)).toBe(false);
			expect([await repository.find("a"), await countAudits()]).toEqual([undefined, 0]);
			await repository.replace("a", () => ({ secret: toSecret("a"), audit }));
			expect([await repository.delete("a", audit), await countAudits()]).toEqual([true, 2]);
		});
	});
}
