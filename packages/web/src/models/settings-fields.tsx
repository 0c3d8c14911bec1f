import { type LlmProvider, visibleText } from "@stemma/client";
import { useId } from "react";
import { Field } from "../shell/field";
import { STRINGS } from "../strings/strings";
import { fillIn, findVendor, type SettingsDraft } from "./settings-draft";

interface SettingsFieldsProps {
	readonly draft: SettingsDraft;
	readonly vendors: readonly LlmProvider[];
	readonly hasStoredKey: boolean;
	readonly onChange: (draft: SettingsDraft) => void;
}

/** Fields of the settings. A vendor fills in the others, and any endpoint and model can be typed. */
export function SettingsFields({ draft, vendors, hasStoredKey, onChange }: SettingsFieldsProps) {
	const words = STRINGS.models;
	const id = useId();
	const vendor = findVendor(draft, vendors);
	const chooseVendor = (chosen: LlmProvider) => onChange(fillIn(draft, chosen));
	return (
		<div className="fields">
			<VendorField id={`${id}-vendor`} vendor={vendor} vendors={vendors} onChoose={chooseVendor} />
			<Field label={words.provider} htmlFor={`${id}-provider`}>
				<select
					id={`${id}-provider`}
					value={draft.provider}
					onChange={(event) => onChange({ ...draft, provider: event.target.value })}
				>
					{Object.entries(words.providers).map(([provider, name]) => (
						<option key={provider} value={provider}>
							{name}
						</option>
					))}
				</select>
			</Field>
			<Field
				label={words.baseUrl}
				htmlFor={`${id}-url`}
				hint={/<.*>/.test(draft.base_url + draft.model) ? words.baseUrlHint : undefined}
			>
				<input
					id={`${id}-url`}
					type="text"
					inputMode="url"
					required
					spellCheck={false}
					autoComplete="off"
					value={draft.base_url}
					onChange={(event) => onChange({ ...draft, base_url: event.target.value })}
				/>
			</Field>
			<ModelField
				id={`${id}-model`}
				model={draft.model}
				suggestions={vendor?.models ?? []}
				onChange={(model) => onChange({ ...draft, model })}
			/>
			<KeyField
				id={`${id}-key`}
				draft={draft}
				vendor={vendor}
				hasStoredKey={hasStoredKey}
				onChange={onChange}
			/>
		</div>
	);
}

interface VendorFieldProps {
	readonly id: string;
	readonly vendor: LlmProvider | undefined;
	readonly vendors: readonly LlmProvider[];
	readonly onChoose: (vendor: LlmProvider) => void;
}

function VendorField({ id, vendor, vendors, onChoose }: VendorFieldProps) {
	const words = STRINGS.models;
	const choose = (vendorId: string) => {
		const chosen = vendors.find((one) => one.id === vendorId);
		if (chosen !== undefined) onChoose(chosen);
	};
	return (
		<Field label={words.vendor} htmlFor={id} hint={vendor?.is_local ? words.local : undefined}>
			<select id={id} value={vendor?.id ?? ""} onChange={(event) => choose(event.target.value)}>
				<option value="">{words.otherVendor}</option>
				{vendors.map((one) => (
					<option key={one.id} value={one.id}>
						{one.name}
					</option>
				))}
			</select>
		</Field>
	);
}

interface ModelFieldProps {
	readonly id: string;
	readonly model: string;
	/** Models that the vendor is known to have. */
	readonly suggestions: readonly string[];
	readonly onChange: (model: string) => void;
}

function ModelField({ id, model, suggestions, onChange }: ModelFieldProps) {
	const listId = `${id}s`;
	return (
		<Field label={STRINGS.models.model} htmlFor={id}>
			<input
				id={id}
				required
				spellCheck={false}
				autoComplete="off"
				list={listId}
				value={model}
				onChange={(event) => onChange(event.target.value)}
			/>
			<datalist id={listId}>
				{suggestions.map((suggestion) => (
					<option key={suggestion} value={suggestion} />
				))}
			</datalist>
		</Field>
	);
}

interface KeyFieldProps extends Omit<SettingsFieldsProps, "vendors"> {
	readonly id: string;
	readonly vendor: LlmProvider | undefined;
}

function KeyField({ id, draft, vendor, hasStoredKey, onChange }: KeyFieldProps) {
	const words = STRINGS.models;
	const hints = [hasStoredKey && words.apiKeyStored, vendor && visibleText(vendor.api_key_hint)].filter(
		Boolean,
	);
	return (
		<Field label={words.apiKey} htmlFor={id} hint={hints.join(" ")}>
			<input
				id={id}
				type="password"
				autoComplete="off"
				spellCheck={false}
				disabled={draft.removesKey}
				value={draft.api_key}
				onChange={(event) => onChange({ ...draft, api_key: event.target.value })}
			/>
			{vendor?.api_key_url && (
				<a href={vendor.api_key_url} target="_blank" rel="noopener noreferrer">
					{words.getKey} ({new URL(vendor.api_key_url).host})
				</a>
			)}
			{hasStoredKey && (
				<label className="choice">
					<input
						type="checkbox"
						checked={draft.removesKey}
						onChange={(event) => onChange({ ...draft, api_key: "", removesKey: event.target.checked })}
					/>
					<span>{words.removeKey}</span>
				</label>
			)}
		</Field>
	);
}
