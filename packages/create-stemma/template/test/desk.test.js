import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { createFakeStemma } from "@stemma/client/testing";
import { defineAgent } from "@stemma/core";
import { findOpeningHours, tools } from "../tools/opening-hours.js";
import { askDesk, describeSources } from "../web/desk.js";

test("the page shows the answer as it comes, and its sources", async () => {
	const fake = createFakeStemma();
	fake.agents.on("desk", {
		output: "Five working days [1].",
		citations: [{ title: "Refunds", text: "A refund takes five working days." }],
	});
	const texts = [];
	const citations = await askDesk(fake.stemma.agents, "How long does a refund take?", (text) =>
		texts.push(text),
	);
	assert.equal(texts.at(-1), "Five working days [1].");
	assert.match(describeSources(citations), /^\[1\] Refunds/);
	assert.equal(fake.calls.length, 1);
	assert.deepEqual(fake.unscripted, []);
});

test("the page says what went wrong", async () => {
	const fake = createFakeStemma();
	fake.agents.on("desk", { error: { code: "model_failed", message: "The model did not answer." } });
	await assert.rejects(
		askDesk(fake.stemma.agents, "Hello?", () => undefined),
		/The model did not answer/,
	);
});

test("the agents are valid, and the tools that they call are there", async () => {
	const folder = new URL("../agents/", import.meta.url);
	for (const name of await readdir(folder)) {
		// It names each mistake with its place.
		const { nodes } = defineAgent(JSON.parse(await readFile(new URL(name, folder), "utf8")));
		for (const { kind, tool } of nodes)
			if (kind === "tool") assert.ok(tool in tools, `${name} calls ${tool}`);
	}
});

test("the shop is closed on Sundays and at night", () => {
	assert.deepEqual(findOpeningHours(new Date("2026-12-21T10:00")), { open: true, until: "18:00" });
	assert.deepEqual(findOpeningHours(new Date("2026-12-21T22:00")), { open: false });
	assert.deepEqual(findOpeningHours(new Date("2026-12-20T12:00")), { open: false });
});
