import { Check, ChevronDown, ChevronUp, Undo2 } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../../i18n/i18n';
import { memberOf } from '../../profiles/model/family';
import { mayChangeEntry, mayNote } from '../../profiles/model/people';
import type { Slot } from '../model/slots';
import type { SlotGroup } from '../model/today-view';
import { doseWords, nameWords, timeWords } from '../../medications/model/words';
import { Avatar } from '../../../ui/avatar';
import { Button } from '../../../ui/button';
import { takeBackGroup, takeGroup } from './answers';

export interface DoseGroupProps {
  group: SlotGroup;
  /** Whether the single doses are shown on demand: many of them would hide the next group. */
  isFolded: boolean;
  of: 'missed' | 'now' | 'later';
  children: ComponentChildren;
}

const whatWords = ({ medicine, planned }: Slot) =>
  [nameWords(medicine), doseWords(planned)].filter(Boolean).join(', ');

/** The doses of one person at one time: one tap answers all. A dose alone is a row as any other. */
export function DoseGroup({ group, of, children, ...first }: DoseGroupProps) {
  // It stays as it was when the number of open doses falls: nothing may move under a finger.
  const [isFolded] = useState(first.isFolded);
  const [isOpen, setOpen] = useState(!isFolded);
  if (group.slots.length === 1) return <>{children}</>;
  const member = memberOf(group.profileId);
  const values = { who: member?.details.name, time: timeWords(group.time) };
  const isAnswered = group.slots.every(({ dose }) => dose);
  const canUndo = group.slots.every(({ dose }) => dose && mayChangeEntry(group.profileId, dose));
  return (
    <>
      <li class="due-group">
        {member && (
          <Avatar
            name={member.details.name}
            picture={member.details.picture}
            species={member.details.species}
            isPet={member.kind === 'pet'}
          />
        )}
        {isAnswered ? (
          <>
            <span class="due-answer">
              <Check size={20} aria-hidden="true" /> {t('today.groupAnswered', values)}
            </span>
            {canUndo && (
              <Button
                icon={Undo2}
                aria-label={t('today.undoAllOf', values)}
                onClick={() => takeBackGroup(group)}
              >
                {t('common.action.undo')}
              </Button>
            )}
          </>
        ) : !mayNote(group.profileId) ? (
          <span class="list-main">{[values.who, values.time].filter(Boolean).join(' · ')}</span>
        ) : (
          <Button
            look={of === 'now' ? 'primary' : 'plain'}
            icon={Check}
            onClick={() => takeGroup(group, of === 'missed')}
          >
            {t('today.allOf', values)}
          </Button>
        )}
        {isFolded && (
          <button type="button" class="due-names" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? (
              t('today.foldOf', values)
            ) : (
              <span>
                <span class="visually-hidden">{t('today.eachOf', values)}</span>{' '}
                {group.slots.map(whatWords).join(' · ')}
              </span>
            )}
            {isOpen ? (
              <ChevronUp size={20} aria-hidden="true" />
            ) : (
              <ChevronDown size={20} aria-hidden="true" />
            )}
          </button>
        )}
      </li>
      {isOpen && children}
    </>
  );
}
