import { useRun } from "@stemma/react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { AnswerText, LiveAnswer, Sources } from "./answer";
import { EMPTY, loadConversation, saveConversation, toInput } from "./conversation";
import { AGENT, CONTEXT, type Service } from "./service";

export function Chat({ service }: { readonly service: Service }) {
	const [conversation, setConversation] = useState(loadConversation);
	const { turns, question, handle } = conversation;
	const input = useRef<HTMLInputElement>(null);

	const run = useRun(service.agents, AGENT, {
		runs: service.runs,
		// After a reload, the run of the last question is shown again, from its beginning.
		rejoin: handle,
		onStart: (started) => setConversation((now) => ({ ...now, handle: started })),
	});
	const isRunning = run.status === "running";

	useEffect(() => saveConversation(conversation), [conversation]);

	function ask(event: FormEvent<HTMLFormElement>) {
		event.preventDefault();
		const form = event.currentTarget;
		const next = String(new FormData(form).get("question")).trim();
		// Return sends the form, also while its button is another one.
		if (isRunning || next === "") return;
		const { status, text, citations } = run;
		const isComplete = status === "completed";
		const before =
			question === undefined || text === "" ? turns : [...turns, { question, text, citations, isComplete }];
		setConversation({ turns: before, question: next });
		run.start({ input: toInput(before, next), context: CONTEXT });
		form.reset();
		input.current?.focus();
	}

	function startOver() {
		run.reset();
		setConversation(EMPTY);
		input.current?.focus();
	}

	return (
		<main>
			<header>
				<h1>Ask the shop</h1>
				<button type="button" className="quiet" onClick={startOver} disabled={question === undefined}>
					New conversation
				</button>
			</header>

			<div className="scroll">
				<div className="turns">
					{question === undefined && <p className="note">Ask about refunds, postage or opening hours.</p>}
					{turns.map((turn, index) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: turns are only ever added.
						<article key={index}>
							<h2>{turn.question}</h2>
							<AnswerText text={turn.text} />
							<Sources citations={turn.citations} />
						</article>
					))}
					{question !== undefined && (
						<article key={turns.length}>
							<h2>{question}</h2>
							<LiveAnswer run={run} />
						</article>
					)}
				</div>
			</div>

			<form onSubmit={ask}>
				<label htmlFor="question">Your question</label>
				<input
					id="question"
					name="question"
					ref={input}
					autoComplete="off"
					placeholder="How long does a refund take?"
				/>
				{isRunning ? (
					<button type="button" onClick={run.cancel}>
						Cancel
					</button>
				) : (
					<button type="submit">Ask</button>
				)}
			</form>
		</main>
	);
}
