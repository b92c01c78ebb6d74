import { t } from '../../../i18n/i18n';
import { statsOnDemand } from '../../health-stats/model/stats';
import { visitsOnDemand } from '../../appointments/model/visits';
import { Loaded } from '../../../ui/loaded';
import { Screen } from '../../../ui/screen';
import { ExportPart } from './export-part';
import { ImportPart } from './import-part';
import '../../../platform/styles/records.css';
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
