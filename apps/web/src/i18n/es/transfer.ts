export const transfer = {
  title: 'Importar y exportar',
};
