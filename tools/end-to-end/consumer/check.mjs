/** What is wrong goes into the message, for whoever reads the output of a process. */
export function check(condition, what, actual) {
	if (!condition) throw new Error(actual === undefined ? what : `${what}: ${JSON.stringify(actual)}`);
}

/** Demands that something fails with this code, and gives the error. */
export async function checkFails(promise, code, where) {
	const error = await promise.then(
		() => undefined,
		(failure) => failure,
	);
	check(error?.code === code, `${where}: should fail with ${code}`, error?.code ?? String(error));
	return error;
}

/** An answer with the fact in it, resting on the document that says it; every mark has its citation. */
export function checkAnswer(text, citations, { fact, documentId }, where) {
	check(text.includes(fact), `${where}: the answer does not say "${fact}"`, text);
	const marks = [...new Set([...text.matchAll(/\[(\d+)\]/g)].map(([, n]) => Number(n)))].sort();
	const numbers = citations.map(({ n }) => n);
	check(String(marks) === String(numbers), `${where}: marks and citations differ`, { marks, numbers });
	const [first] = citations;
	check(first?.document_id === documentId, `${where}: another document is cited first`, citations);
	check(first.support !== "weak", `${where}: the citation is weak`, first);
	check(first.text.includes(fact), `${where}: the cited passage does not say it`, first.text);
}

/** Rows that name who answered and who pays, with the tokens that were reported, and nobody else's. */
export function checkReceipt(receipt, usage, { payer, nodes }, where) {
	check(
		String(receipt.map(({ node }) => node)) === String(nodes),
		`${where}: other nodes asked the model`,
		receipt,
	);
	for (const row of receipt) {
		for (const [field, value] of Object.entries(payer.row))
			check(row[field] === value, `${where}: ${field} of the receipt should be "${value}"`, row);
		const tokens = `${row.input_tokens}/${row.output_tokens}/${row.cached_tokens ?? 0}`;
		if (row.stage === "answer")
			check(payer.tokens.includes(tokens), `${where}: nobody reported these tokens`, row);
		check(row.estimated === undefined, `${where}: reported tokens count as estimated`, row);
		check(row.attempts === 1 && row.reason.endsWith("."), `${where}: attempts or reason`, row);
	}
	const sum = (field) => receipt.reduce((total, row) => total + row[field], 0);
	check(
		usage.model_calls === receipt.length &&
			usage.input_tokens === sum("input_tokens") &&
			usage.output_tokens === sum("output_tokens"),
		`${where}: usage is not the sum of the receipt`,
		{ usage, receipt },
	);
}

/** Events in order up to `run.completed`, whose final text is the answer. */
export function checkRunEvents(events, output, { isTrace = true }, where) {
	const types = events.map(({ type }) => type);
	const seqs = events.map(({ seq }) => seq);
	const isRising = seqs.every((seq, index) => (isTrace ? seq === index + 1 : seq > (seqs[index - 1] ?? 0)));
	check(isRising, `${where}: seq does not rise as it should`, seqs);
	check(types[0] === "run.started", `${where}: the first event`, types[0]);
	check(types.at(-1) === "run.completed", `${where}: the last event`, events.at(-1));
	check(types.includes("node.started") === isTrace, `${where}: events of nodes`, types);
	check(finalText(events) === output, `${where}: the streamed text is not the answer`, finalText(events));
	for (const { at, run_id } of events) {
		const isTime = !Number.isNaN(new Date(at).getTime());
		check(isTime && run_id === events[0].run_id, `${where}: at or run_id`, { at, run_id });
	}
}

/** All final text since the last reset. */
function finalText(events) {
	const last = events.findLastIndex(({ type }) => type === "text.reset");
	return events
		.slice(last + 1)
		.filter(({ type, final }) => type === "text.delta" && final !== false)
		.map(({ text }) => text)
		.join("");
}
