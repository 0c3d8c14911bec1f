import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
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

test("the agent is valid, and has the tools that it calls", async () => {
	const file = new URL("../agents/desk.json", import.meta.url);
	// It names each mistake with its place.
	const { nodes } = defineAgent(JSON.parse(await readFile(file, "utf8")));
	const called = nodes.filter(({ kind }) => kind === "tool").map(({ tool }) => tool);
	assert.deepEqual(called, Object.keys(tools));
});

test("the shop is closed on Sundays and at night", () => {
	assert.deepEqual(findOpeningHours(new Date("2026-12-21T10:00")), { open: true, until: "18:00" });
	assert.deepEqual(findOpeningHours(new Date("2026-12-21T22:00")), { open: false });
	assert.deepEqual(findOpeningHours(new Date("2026-12-20T12:00")), { open: false });
});
