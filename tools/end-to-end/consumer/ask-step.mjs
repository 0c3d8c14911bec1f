import { check, checkAnswer, checkReceipt } from "./check.mjs";
import { post, readAll } from "./http.mjs";

const UNANSWERABLE = "Which volcano erupts in Naples?";

/** Asks in three ways: the same answer each time. Gives it. */
export async function askStep(context) {
	const { stemma, service, accessToken, question, knowledgeBaseId } = context;
	const request = { question, knowledge_base_ids: [knowledgeBaseId] };
	const stream = stemma.ask.stream(request);
	const events = await readAll(stream);
	const answers = {
		"ask()": await stemma.ask(request),
		"ask.stream()": await stream.answer(),
		"POST /v1/ask": await post(`${service}/v1/ask`, accessToken, request),
	};
	const { answer } = answers["ask()"];
	// A vendor's model judges the passages first; no node asks for that.
	const nodes = context.payer.row.payer === "deployment" ? [undefined, "answer"] : ["answer"];
	for (const [where, given] of Object.entries(answers)) {
		check(given.answer === answer, `${where}: another answer`, given.answer);
		checkAnswer(given.answer, given.citations, context, where);
		checkReceipt(given.receipt, given.usage, { ...context, nodes }, where);
		check(given.passages.length > 1, `${where}: passages`, given.passages.length);
		context.modelCalls += given.usage.model_calls;
	}
	checkEvents(events, answer);
	await checkRefusal(context);
	return answer;
}

function checkEvents(events, answer) {
	const types = [...new Set(events.map(({ type }) => type))];
	check(String(types) === "ask.passages,text.delta,ask.completed", "ask.stream(): events", types);
	check(
		events.every(({ seq }, index) => seq === index + 1),
		"ask.stream(): seq",
		events.map(({ seq }) => seq),
	);
	const text = events.map(({ type, text }) => (type === "text.delta" ? text : "")).join("");
	check(text === answer, "ask.stream(): the streamed text is not the answer", text);
}

/** Where nothing is found, no model is asked. */
async function checkRefusal({ stemma, knowledgeBaseId }) {
	const refused = await stemma.ask({ question: UNANSWERABLE, knowledge_base_ids: [knowledgeBaseId] });
	const { citations, receipt, usage } = refused;
	check(refused.refused === "no_relevant_passages", "ask(): should be refused", refused.answer);
	check(citations.length + receipt.length + usage.model_calls === 0, "ask(): a refusal costs", refused);
}
