import type { StoredAgent } from "@stemma/client";
import { type FormEvent, useId, useMemo, useState } from "react";
import { useApp } from "../../data/app-context";
import { useAction } from "../../data/use-action";
import { ErrorNotice } from "../../shell/error-notice";
import { navigate, toHref } from "../../shell/route";
import { AGENT_STRINGS } from "../../strings/agent-strings";
import { findContextPaths, readContext, readInput } from "./read-input";

interface RunFormProps {
	readonly agent: StoredAgent;
	/** A run is shown already. */
	readonly hasRun: boolean;
}

/** Form that runs an agent, as it is saved. The run goes on when nobody watches. */
export function RunForm({ agent, hasRun }: RunFormProps) {
	const words = AGENT_STRINGS;
	const { stemma } = useApp();
	const [input, setInput] = useState("");
	const [context, setContext] = useState("");
	const [isContextInvalid, setContextInvalid] = useState(false);
	const paths = useMemo(() => findContextPaths(agent.graph), [agent.graph]);
	const start = useAction(async () => {
		const read = readContext(context);
		setContextInvalid(read === undefined);
		if (read === undefined) return;
		const run = await stemma.agents.start(agent.id, { input: readInput(input), context: read });
		navigate(toHref("agents", agent.id, run.id));
	});
	const submit = (event: FormEvent) => {
		event.preventDefault();
		void start.run();
	};
	return (
		<form className="panel" onSubmit={submit} aria-label={words.run}>
			<h2>{words.run}</h2>
			<TextField label={words.input} hint={words.inputHint} text={input} isRequired onChange={setInput} />
			{paths.length > 0 && (
				<TextField
					label={words.context}
					hint={words.contextNeeded(paths.join(", "))}
					text={context}
					onChange={setContext}
				/>
			)}
			{isContextInvalid && (
				<p className="bad-text" role="alert">
					{words.contextInvalid}
				</p>
			)}
			<button type="submit" className="primary" disabled={start.isRunning}>
				{hasRun ? words.startAgain : words.start}
			</button>
			<ErrorNotice error={start.error} />
		</form>
	);
}

interface TextFieldProps {
	readonly label: string;
	readonly hint: string;
	readonly text: string;
	readonly isRequired?: boolean;
	readonly onChange: (text: string) => void;
}

function TextField({ label, hint, text, isRequired = false, onChange }: TextFieldProps) {
	const id = useId();
	const hintId = useId();
	return (
		<div className="field">
			<label htmlFor={id}>{label}</label>
			<textarea
				id={id}
				rows={3}
				required={isRequired}
				value={text}
				aria-describedby={hintId}
				onChange={(event) => onChange(event.target.value)}
			/>
			<p className="small" id={hintId}>
				{hint}
			</p>
		</div>
	);
}
