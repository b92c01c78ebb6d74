import { t } from '../../i18n/i18n';
import { statsOnDemand } from '../../model/stats';
import { visitsOnDemand } from '../../model/visits';
import { Loaded } from '../../ui/loaded';
import { Screen } from '../../ui/screen';
import { ExportPart } from './export-part';
import { ImportPart } from './import-part';
import '../../styles/records.css';
import './transfer.css';

/** Files in, with a preview; files out, encrypted or readable. */
export function Transfer() {
  return (
    <Screen title={t('transfer.title')} back={{ href: '/app/more', label: t('common.nav.more') }}>
      <Loaded parts={[statsOnDemand, visitsOnDemand]}>
        {() => (
          <div class="stack-large">
            <ImportPart />
            <ExportPart />
          </div>
        )}
      </Loaded>
    </Screen>
  );
}
