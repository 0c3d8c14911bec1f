import { type ClientKeyCreate, visibleText } from "@stemma/client";
import { type FormEvent, useId, useState } from "react";
import { useApp } from "../data/app-context";
import { PAGE_SIZE } from "../data/use-list";
import { useResource } from "../data/use-resource";
import { ErrorNotice } from "../shell/error-notice";
import { Field } from "../shell/field";
import { ADMIN_STRINGS } from "../strings/admin-strings";
import { type ClientKeyDraft, EMPTY_KEY, toClientKeyCreate } from "./client-key-draft";
import { type Choice, LimitedChoice } from "./limited-choice";
import { ScopeChoice } from "./scope-choice";

const SCOPES = ["ask", "agents:run"] as const;

interface ClientKeyFormProps {
	readonly isBusy: boolean;
	readonly onCreate: (request: ClientKeyCreate) => void;
}

interface PartProps {
	readonly draft: ClientKeyDraft;
	readonly onChange: (changes: Partial<ClientKeyDraft>) => void;
}

/** Form of a client key: where it works, what it may do, and its limits. */
export function ClientKeyForm({ isBusy, onCreate }: ClientKeyFormProps) {
	const words = ADMIN_STRINGS.keys;
	const [draft, setDraft] = useState(EMPTY_KEY);
	const onChange = (changes: Partial<ClientKeyDraft>) => setDraft({ ...draft, ...changes });
	const submit = (event: FormEvent) => {
		event.preventDefault();
		onCreate(toClientKeyCreate(draft));
	};
	return (
		<form onSubmit={submit}>
			<PlaceFields draft={draft} onChange={onChange} />
			<ScopeChoice
				legend={words.scopes}
				scopes={SCOPES}
				chosen={draft.scopes}
				onChange={(scopes) => onChange({ scopes })}
			/>
			<ReachFields draft={draft} onChange={onChange} />
			<LimitFields draft={draft} onChange={onChange} />
			<button type="submit" className="primary" disabled={isBusy || draft.scopes.size === 0}>
				{words.createAction}
			</button>
		</form>
	);
}

function PlaceFields({ draft, onChange }: PartProps) {
	const words = ADMIN_STRINGS.keys;
	const id = useId();
	return (
		<div className="fields">
			<Field label={words.name} htmlFor={`${id}-name`}>
				<input
					id={`${id}-name`}
					required
					maxLength={200}
					autoComplete="off"
					value={draft.name}
					onChange={(event) => onChange({ name: event.target.value })}
				/>
				<label className="choice">
					<input
						type="checkbox"
						checked={draft.isNative}
						onChange={(event) => onChange({ isNative: event.target.checked })}
					/>
					<span>{words.native}</span>
				</label>
			</Field>
			<Field label={words.origins} htmlFor={`${id}-origins`} hint={words.originsHint}>
				<textarea
					id={`${id}-origins`}
					rows={3}
					spellCheck={false}
					required={!draft.isNative}
					value={draft.origins}
					onChange={(event) => onChange({ origins: event.target.value })}
				/>
			</Field>
		</div>
	);
}

/** Knowledge bases and agents that the key reaches. */
function ReachFields({ draft, onChange }: PartProps) {
	const words = ADMIN_STRINGS.keys;
	const { knowledge, agents } = useApp().stemma;
	const choices = useResource("reach", async (signal) => {
		const [bases, listed] = await Promise.all([
			knowledge.list({ limit: PAGE_SIZE }, { signal }),
			agents.list({ limit: PAGE_SIZE }, { signal }),
		]);
		return { bases: bases.data.map(toChoice), agents: listed.data.map(toChoice) };
	});
	return (
		<>
			<ErrorNotice error={choices.error} onRetry={() => void choices.reload()} />
			<LimitedChoice
				legend={words.knowledgeBases}
				choices={choices.value?.bases ?? []}
				chosen={draft.knowledgeBases}
				onChange={(knowledgeBases) => onChange({ knowledgeBases })}
			/>
			<LimitedChoice
				legend={words.agents}
				choices={choices.value?.agents ?? []}
				chosen={draft.agents}
				onChange={(agents) => onChange({ agents })}
			/>
		</>
	);
}

const toChoice = ({ id, name }: { readonly id: string; readonly name: string | null }): Choice => ({
	id,
	name: visibleText(name ?? id),
});

function LimitFields({ draft, onChange }: PartProps) {
	const words = ADMIN_STRINGS.keys;
	const id = useId();
	const toNumber = (text: string): number => Math.max(1, Math.trunc(Number(text)) || 1);
	return (
		<details className="more-fields">
			<summary>{words.limits}</summary>
			<div className="fields">
				<Field label={words.requestsPerMinute} htmlFor={`${id}-requests`}>
					<input
						id={`${id}-requests`}
						type="number"
						min={1}
						required
						value={draft.requestsPerMinute}
						onChange={(event) => onChange({ requestsPerMinute: toNumber(event.target.value) })}
					/>
				</Field>
				<Field label={words.tokensPerDay} htmlFor={`${id}-tokens`}>
					<input
						id={`${id}-tokens`}
						type="number"
						min={1}
						required
						value={draft.tokensPerDay}
						onChange={(event) => onChange({ tokensPerDay: toNumber(event.target.value) })}
					/>
				</Field>
				<Field label={words.expose} htmlFor={`${id}-expose`}>
					<select
						id={`${id}-expose`}
						value={draft.expose}
						onChange={(event) => onChange({ expose: event.target.value === "trace" ? "trace" : "answer" })}
					>
						{Object.entries(words.exposes).map(([value, name]) => (
							<option key={value} value={value}>
								{name}
							</option>
						))}
					</select>
				</Field>
			</div>
			<label className="choice">
				<input
					type="checkbox"
					checked={draft.models}
					onChange={(event) => onChange({ models: event.target.checked })}
				/>
				<span>{words.models}</span>
			</label>
		</details>
	);
}
