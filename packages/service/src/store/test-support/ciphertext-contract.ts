import { describe, expect, it } from "vitest";
import type { CiphertextRepository } from "../../encryption/ciphertext-repository";
import type { WorkspaceStore } from "../workspace-store";

const audit = { actor: "operator", action: "credentials.abandoned", target: "credentials" } as const;
const times = { created_at: 1, updated_at: 2, updated_by: "cl_1" };

async function fill({ settings, secrets }: Pick<WorkspaceStore, "settings" | "secrets">): Promise<void> {
	const address = { provider: "openai-compatible", base_url: "https://models.example/v1", model: "m" };
	await settings.replace(() => ({ settings: { id: 1, ...address, api_key: "one", ...times }, audit }));
	for (const name of ["b", "a"])
		await secrets.replace(name, () => ({
			secret: { name, server_url: "https://tools.example", value: `of ${name}`, ...times },
			audit,
		}));
}

const listEnvelopes = async (ciphertexts: CiphertextRepository) =>
	(await ciphertexts.list("ws_1")).map(({ envelope }) => envelope);

/** Contract that each store of ciphertexts keeps. @param open - an empty one. */
export function describeCiphertextRepository(
	open: () => Pick<WorkspaceStore, "audit" | "ciphertexts" | "secrets" | "settings">,
): void {
	async function openFilled() {
		const store = open();
		await fill(store);
		const countAudits = async () => (await store.audit.list({ limit: 99, after: undefined })).length;
		return { ...store, countAudits };
	}

	describe("a repository of what is encrypted", () => {
		it("lists each value with what it is bound to", async () => {
			const { ciphertexts } = await openFilled();
			const [workspaceId, address] = ["ws_1", "https://tools.example"];
			expect(await ciphertexts.list("ws_1")).toEqual([
				{
					envelope: "one",
					binding: {
						workspaceId,
						purpose: "llm_settings:openai-compatible",
						address: "https://models.example/v1",
					},
					location: { kind: "llm_settings" },
				},
				...["a", "b"].map((name) => ({
					envelope: `of ${name}`,
					binding: { workspaceId, purpose: `secret:${name}`, address },
					location: { kind: "secret", name },
				})),
			]);
		});

		it("replaces a value that is there as it was listed, and no other", async () => {
			const { ciphertexts } = await openFilled();
			const [key, secret] = await ciphertexts.list("ws_1");
			if (key === undefined || secret === undefined) throw new Error("There are three.");
			const replaced = [await ciphertexts.replace(key, "two"), await ciphertexts.replace(secret, "new")];
			expect([...replaced, await ciphertexts.replace(secret, "late")]).toEqual([true, true, false]);
			expect(await listEnvelopes(ciphertexts)).toEqual(["two", "new", "of b"]);
		});

		it.each([false, true])(
			"deletes what is chosen, with the settings of a key: %s",
			async (deletesSettings) => {
				const { ciphertexts, settings, countAudits } = await openFilled();
				const before = await countAudits();
				await ciphertexts.delete("ws_1", (all) => ({ ciphertexts: all.slice(0, 2), deletesSettings, audit }));
				expect(await listEnvelopes(ciphertexts)).toEqual(["of b"]);
				expect((await settings.find())?.api_key).toBe(deletesSettings ? undefined : null);
				expect(await countAudits()).toBe(before + 1);
			},
		);

		it("changes and records nothing where nothing is chosen", async () => {
			const { ciphertexts, countAudits } = await openFilled();
			const before = [await listEnvelopes(ciphertexts), await countAudits()];
			await ciphertexts.delete("ws_1", () => undefined);
			expect([await listEnvelopes(ciphertexts), await countAudits()]).toEqual(before);
		});
	});
}
