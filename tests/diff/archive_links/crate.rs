// SPDX-License-Identifier: GPL-2.0-only
// crate.rs - a unit of Rust beside those of C: generic functions, enumerations with data, private statics
#![no_std]
#![allow(static_mut_refs)]

pub enum Shape {
    Circle(u32),
    Rect { w: u32, h: u64 },
    Unit,
}

#[repr(C)]
pub struct Pair<T> {
    first: T,
    second: *const Shape,
}

static mut COUNTER: u32 = 1;
#[no_mangle]
pub static mut RUST_VAR: Pair<u32> = Pair { first: 1, second: core::ptr::null() };

#[inline(never)]
fn area(shape: &Shape, unused: u8) -> u64 {
    match shape {
        Shape::Circle(r) => *r as u64 * 3 + unused as u64,
        Shape::Rect { w, h } => (*w as u64).wrapping_mul(*h),
        Shape::Unit => 0,
    }
}

#[inline(never)]
fn swap<T: Copy>(pair: &mut Pair<T>, value: T) -> T {
    let old = pair.first;
    pair.first = value;
    old
}

#[no_mangle]
pub extern "C" fn rust_area(n: u32) -> u64 {
    let old = unsafe {
        COUNTER = COUNTER.wrapping_add(n);
        swap(&mut RUST_VAR, COUNTER)
    };
    let mut long = Pair { first: 3u64, second: core::ptr::null() };
    area(&Shape::Circle(n), 2) + area(&Shape::Rect { w: old, h: 2 }, 2) + swap(&mut long, n as u64)
        + area(&Shape::Unit, 1)
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}
