//! `haat export`: exports products and categories in the format of `haat import`.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use platform::config::Settings;
use platform::{Currency, Db};
use shop::base_currency;
use shop::catalog::export::{
    ExportRow, category_columns, export_categories, export_products, fixed_price_columns,
    option_names, product_columns, translated_languages,
};

use super::{CommandResult, open_existing_db};

#[derive(clap::Args)]
pub struct ExportCommand {
    /// The file to write: .json with products and categories, or .csv with the products
    file: PathBuf,
    /// Export the categories to the CSV file, instead of the products
    #[arg(long)]
    categories: bool,
    #[command(flatten)]
    settings: Settings,
}

pub async fn export(options: ExportCommand) -> CommandResult {
    let ExportCommand { file, categories, settings } = options;
    let path = file.display();
    let extension = file.extension().and_then(|extension| extension.to_str());
    let csv = match extension {
        Some("json") => false,
        Some("csv") => true,
        _ => return Err(format!("{path}: the file name must end in .json or .csv").into()),
    };
    let (db, ..) = open_existing_db(&settings).await?;
    let base = base_currency::find(&db).await?.unwrap_or_default();
    let written = match csv {
        true => write_csv(&db, base, &file, categories).await,
        false => write_json(&db, base, &file).await,
    };
    let count = written.map_err(|why| format!("{path}: {why}"))?;
    db.close().await;
    print_line!("{path}: {count} rows");
    Ok(())
}

type Written = Result<usize, Box<dyn std::error::Error>>;

/// One row per line.
async fn write_json(db: &Db, base: Currency, file: &Path) -> Written {
    let mut out = BufWriter::new(File::create(file)?);
    let mut count = 0;
    let mut write = |out: &mut BufWriter<File>, rows: &[ExportRow], first: bool| {
        for (place, row) in rows.iter().enumerate() {
            let separator = if first && place == 0 { "\n" } else { ",\n" };
            write!(out, "{separator}    {}", serde_json::to_string(row)?)?;
            count += 1;
        }
        Ok::<(), Box<dyn std::error::Error>>(())
    };
    write!(out, "{{\n  \"categories\": [")?;
    write(&mut out, &export_categories(db).await?, true)?;
    write!(out, "\n  ],\n  \"products\": [")?;
    let mut after = None;
    loop {
        let (rows, last) = export_products(db, base, after.as_ref()).await?;
        write(&mut out, &rows, after.is_none())?;
        after = last;
        if after.is_none() {
            break;
        }
    }
    writeln!(out, "\n  ]\n}}")?;
    out.flush()?;
    Ok(count)
}

async fn write_csv(db: &Db, base: Currency, file: &Path, categories: bool) -> Written {
    let languages = translated_languages(db).await?;
    let mut out = csv::Writer::from_path(file)?;
    if categories {
        let columns = category_columns(&languages);
        let rows = export_categories(db).await?;
        out.write_record(&columns)?;
        for row in &rows {
            out.write_record(row.cells(&columns)?)?;
        }
        out.flush()?;
        return Ok(rows.len());
    }
    let mut columns = product_columns(&languages, &option_names(db).await?);
    columns.extend(fixed_price_columns(db).await?);
    let (mut after, mut count) = (None, 0);
    out.write_record(&columns)?;
    loop {
        let (rows, last) = export_products(db, base, after.as_ref()).await?;
        let rows = rows.into_iter().flat_map(ExportRow::into_variant_rows);
        for row in rows {
            out.write_record(row.cells(&columns)?)?;
            count += 1;
        }
        after = last;
        if after.is_none() {
            break;
        }
    }
    out.flush()?;
    Ok(count)
}
